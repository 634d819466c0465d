import { beforeEach, describe, expect, test } from 'vitest'
import type { Experiment } from '#shared/ipc/contract.ts'
import { useApplication } from '#test/support/e2e-application.ts'
import { tesseraJson } from '#test/support/e2e-command.ts'
import { historyRow } from '#test/support/e2e-history.ts'
import {
  chooseDataflows,
  labInput,
  shownExperimentId,
  typeValue,
  waitForRuns,
} from '#test/support/e2e-lab.ts'

const application = useApplication()
const { dataDirectory } = application

const experiments = async (): Promise<Experiment[]> =>
  (await tesseraJson(dataDirectory, ['runs', 'list'])) as Experiment[]

describe('the draft in the Lab', () => {
  test('survives a reload, with what is not valid yet', async () => {
    const page = await application.open()
    await page.getByTestId('experiment-name').fill('Half done')
    await chooseDataflows(page, ['fa3', 'flat-async'])
    await labInput(page, 'chip', 'noc.linkBits').fill('2048')
    await labInput(page, 'workload', 'batch').fill('0')
    await page.getByTestId('estimate-problems').waitFor()
    await page.reload()
    await expect.poll(() => page.getByTestId('experiment-name').inputValue()).toBe('Half done')
    expect(await labInput(page, 'chip', 'noc.linkBits').inputValue()).toBe('2048')
    expect(await labInput(page, 'workload', 'batch').inputValue()).toBe('0')
    expect(await page.locator('input[data-testid^="dataflow-"]:checked').count()).toBe(2)
    expect(await page.getByTestId('run').isDisabled()).toBe(true)
  })

  test('survives a walk through the other pages, and so does undo', async () => {
    const page = await application.open()
    await typeValue(page, 'workload', 'batch', '5')
    await page.getByTestId('nav-history').click()
    await page.getByTestId('nav-docs').click()
    await page.getByTestId('nav-lab').click()
    await expect.poll(() => labInput(page, 'workload', 'batch').inputValue()).toBe('5')
    await page.getByTestId('undo').click()
    await expect.poll(() => labInput(page, 'workload', 'batch').inputValue()).toBe('2')
  })

  test('takes over the configuration of a result', async () => {
    const page = await application.open()
    await chooseDataflows(page, ['fa3'])
    await typeValue(page, 'workload', 'batch', '6')
    await page.getByTestId('run').click()
    await shownExperimentId(page)
    await page.getByTestId('nav-lab').click()
    await typeValue(page, 'workload', 'batch', '2')
    await page.goBack()
    await page.getByTestId('open-in-lab').click()
    await expect.poll(() => labInput(page, 'workload', 'batch').inputValue()).toBe('6')
  })
})

describe('a draft that was not run', () => {
  test('is back, marked, with undo, after the host was killed two seconds after the edit', async () => {
    const expectedProblems = /WebSocket|ERR_CONNECTION|Failed to load/
    const page = await application.open('/', { expectedProblems })
    await typeValue(page, 'workload', 'batch', '5')
    await typeValue(page, 'workload', 'batch', '13')
    await page.getByTestId('unsaved').waitFor()
    await page.waitForTimeout(2000)
    await application.host.kill()
    await page.close()
    await application.restart()

    const next = await application.open('/', { keepsDrafts: true })
    await expect.poll(() => labInput(next, 'workload', 'batch').inputValue()).toBe('13')
    await next.getByTestId('unsaved').waitFor()
    await next.getByTestId('undo').click()
    await expect.poll(() => labInput(next, 'workload', 'batch').inputValue()).not.toBe('13')
    await next.getByTestId('redo').click()
    await chooseDataflows(next, ['fa3'])
    await next.getByTestId('run').click()
    await shownExperimentId(next)
    await next.getByTestId('nav-lab').click()
    await next.getByTestId('run').waitFor()
    await next.getByTestId('unsaved').waitFor({ state: 'detached' })
    await next.getByTestId('undo').click()
    await next.getByTestId('unsaved').waitFor()
    await next.getByTestId('revert').click()
    await next.getByTestId('unsaved').waitFor({ state: 'detached' })
  })

  test('of one window is not touched by another', async () => {
    const page = await application.open()
    await typeValue(page, 'workload', 'batch', '5')
    await page.waitForTimeout(600)
    const other = await application.open('/', { keepsDrafts: true })
    await expect.poll(() => labInput(other, 'workload', 'batch').inputValue()).toBe('5')
    await typeValue(other, 'workload', 'batch', '11')
    await other.waitForTimeout(600)
    await page.reload()
    await expect.poll(() => labInput(page, 'workload', 'batch').inputValue()).toBe('5')
  })
})

describe('the same input', () => {
  test('is found, not run again; “run again” forces it', async () => {
    const page = await application.open()
    await chooseDataflows(page, ['fa2', 'fa3'])
    await typeValue(page, 'workload', 'batch', '7')
    await page.getByTestId('run').click()
    const first = await shownExperimentId(page)
    await waitForRuns(page)

    await page.getByTestId('nav-lab').click()
    await page.getByTestId('run').click()
    await page.getByText('This input was run before').waitFor()
    expect(await shownExperimentId(page)).toBe(first)

    await page.getByTestId('run-again').click()
    await expect.poll(() => page.url()).not.toContain(`/experiments/${String(first)}`)
    const second = await shownExperimentId(page)
    expect(second).toBeGreaterThan(first)
    await waitForRuns(page)
    await page.getByTestId('result-table').waitFor()

    const [again, before] = (await experiments()).slice(0, 2)
    expect([again?.id, before?.id]).toEqual([second, first])
    expect(again?.runs.map(run => run.id)).not.toEqual(before?.runs.map(run => run.id))
  })
})

describe('after the host was killed in the middle of an experiment', () => {
  let crashedId: number

  beforeEach(async () => {
    await application.host.kill()
    await application.restart({ stepDelayMs: 5000 })
    const page = await application.open('/', {
      expectedProblems: /ERR_CONNECTION_REFUSED|WebSocket/,
    })
    await page.getByTestId('experiment-name').fill('Cut short')
    await chooseDataflows(page, ['fa3', 'flat-hc'])
    await typeValue(page, 'workload', 'batch', '9')
    await page.getByTestId('run').click()
    crashedId = await shownExperimentId(page)
    await page.locator('[data-status="running"]').first().waitFor()
    await application.host.kill()
    await application.restart()
  })

  test('its runs are crashed, what was done before is there, and “run again” works', async () => {
    const page = await application.open('/history')
    const row = historyRow(page, crashedId)
    await row.waitFor()
    expect(await row.getByTestId('status').getAttribute('data-status')).toBe('crashed')
    expect(await page.getByTestId('history-row').count()).toBe((await experiments()).length)

    await row.getByTestId('open-experiment').click()
    expect(await page.getByTestId('experiment-title').innerText()).toBe('Cut short')
    const crashed = page.locator('[data-testid^="run-"][data-status="crashed"]')
    await expect.poll(() => crashed.count()).toBe(2)
    expect(await crashed.first().getByTestId('run-message').innerText()).not.toBe('')

    await page.getByTestId('run-missing').click()
    await waitForRuns(page)
    await expect.poll(() => page.locator('[data-testid^="result-column-"]').count()).toBe(2)
  })
})
