import { describe, expect, test } from 'vitest'
import { dataflowsOf } from '#shared/mapping/dataflow.ts'
import { useApplication } from '#test/support/e2e-application.ts'
import {
  chooseDataflows,
  shownExperimentId,
  typeValue,
  waitForEstimates,
  waitForRuns,
} from '#test/support/e2e-lab.ts'

const application = useApplication({ stepDelayMs: 250 })

/** Those of the workload that the Lab starts with. */
const offered = dataflowsOf({ variant: 'mha', phase: 'prefill' })

describe('an experiment with all six dataflows', () => {
  test('shows progress, lets one run be cancelled and finishes the others', async () => {
    const page = await application.open()
    await page.getByTestId('experiment-name').fill('Six at once')
    await waitForEstimates(page)
    await page.getByTestId('run').click()
    await page.getByTestId('result-page').waitFor()
    expect(await page.getByTestId('experiment-title').innerText()).toBe('Six at once')

    await page.getByTestId('queue-button').click()
    const queue = page.getByTestId('queue')
    await queue.getByRole('listitem').first().waitFor()
    expect(await queue.getByRole('link').first().innerText()).toBe('Six at once')
    await page.keyboard.press('Escape')
    await queue.waitFor({ state: 'hidden' })

    const running = page.locator('[data-testid^="run-"][data-status="running"]')
    const cancelled = await running.first().getAttribute('data-testid')
    if (cancelled === null) throw new Error('nothing is running')
    const row = page.getByTestId(cancelled)
    await expect
      .poll(() => row.getByTestId('progress').getAttribute('value').then(Number))
      .toBeGreaterThan(0)
    await row.getByTestId('cancel').click()
    await expect.poll(() => row.getAttribute('data-status')).toBe('cancelled')
    expect(await row.getByTestId('status').innerText()).toContain('cancelled')

    await waitForRuns(page)
    const columns = page.locator('[data-testid^="result-column-"]')
    await expect.poll(() => columns.count()).toBe(offered.length - 1)
    expect(await row.getAttribute('data-status')).toBe('cancelled')

    await page.getByTestId('run-missing').click()
    await waitForRuns(page)
    await expect.poll(() => columns.count()).toBe(offered.length)
    expect(await page.getByTestId('run-list').count()).toBe(0)
  })

  test('starts with Ctrl+Enter, and its progress survives a reload', async () => {
    const page = await application.open()
    await typeValue(page, 'workload', 'batch', '3')
    await page.keyboard.press('Control+Enter')
    const id = await shownExperimentId(page)
    await page.locator('[data-status="running"]').first().waitFor()
    await page.reload()
    expect(await shownExperimentId(page)).toBe(id)
    await page.getByTestId('progress').first().waitFor()
    await waitForRuns(page)
    await expect
      .poll(() => page.locator('[data-testid^="result-column-"]').count())
      .toBe(offered.length)
  })

  test('is seen by a second page that did not start it', async () => {
    const watcher = await application.open('/history')
    const page = await application.open()
    await page.getByTestId('experiment-name').fill('Watched')
    await chooseDataflows(page, ['fa3'])
    await typeValue(page, 'workload', 'batch', '4')
    await page.getByTestId('run').click()
    const row = watcher.getByTestId('history-row').filter({ hasText: 'Watched' })
    const status = () => row.getByTestId('status').getAttribute('data-status')
    await expect.poll(status).toBe('running')
    await expect.poll(status).toBe('done')
  })
})

test('a mapping that does not fit ends as failed, with the numbers', async () => {
  const page = await application.open()
  await chooseDataflows(page, ['flat-async'])
  await page.getByTestId('override-mapping').click()
  await typeValue(page, 'mapping', 'sliceRows', '256')
  await typeValue(page, 'mapping', 'sliceCols', '256')
  await page.getByTestId('run').click()
  const row = page.getByTestId('run-flat-async')
  await expect.poll(() => row.getAttribute('data-status')).toBe('failed')
  await expect.poll(() => row.getByTestId('run-message').innerText()).toMatch(/384 KiB/)
})
