import { beforeAll, describe, expect, test } from 'vitest'
import { useApplication } from '#test/support/e2e-application.ts'
import { historyRow, selectExperiments, shownNames } from '#test/support/e2e-history.ts'
import {
  finishedExperiment,
  importExperiments,
  importFinished,
  makeSpec,
  presetConfig,
} from '#test/support/e2e-seed.ts'
import { workloadPresets } from '#shared/presets/presets.ts'

const application = useApplication()
const { dataDirectory } = application
const specOf = (name: string, batch: number) => {
  const { workload, ...rest } = makeSpec({ name, dataflows: ['fa3', 'flat-async'] })
  return { ...rest, workload: { ...workload, batch } }
}
let slow: number
let quick: number
let middle: number

beforeAll(async () => {
  slow = await importFinished(dataDirectory, specOf('Slow', 8), 0)
  quick = await importFinished(dataDirectory, specOf('Quick', 1), 1)
  middle = await importFinished(dataDirectory, specOf('Middle', 4), 2)
})

describe('the list', () => {
  test('is newest first, and sorts by a column either way', async () => {
    const page = await application.open('/history')
    await page.getByTestId('history-table').waitFor()
    expect(await shownNames(page)).toEqual(['Middle', 'Quick', 'Slow'])
    const column = page.getByRole('columnheader', { name: 'Best time' })
    await page.getByTestId('sort-bestSeconds').click()
    await expect.poll(() => shownNames(page)).toEqual(['Quick', 'Middle', 'Slow'])
    expect(await column.getAttribute('aria-sort')).toBe('ascending')
    await page.getByTestId('sort-bestSeconds').click()
    await expect.poll(() => shownNames(page)).toEqual(['Slow', 'Middle', 'Quick'])
    expect(await column.getAttribute('aria-sort')).toBe('descending')
    await page.getByTestId('sort-name').click()
    await expect.poll(() => shownNames(page)).toEqual(['Middle', 'Quick', 'Slow'])
  })

  test('is searched by name, tag and note; what is not found is said', async () => {
    const page = await application.open('/history')
    await page.getByTestId('history-search').fill('flat-async qui')
    await expect.poll(() => shownNames(page)).toEqual(['Quick'])
    expect(await page.getByTestId('history-count').innerText()).toBe('1 of 3')
    await page.getByTestId('history-search').fill('no such thing')
    await page.getByText('No experiment matches the search').waitFor()
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await expect.poll(() => shownNames(page)).toHaveLength(3)
  })
})

describe('an experiment', () => {
  test('is renamed in the list; Escape keeps the old name', async () => {
    const page = await application.open('/history')
    const row = historyRow(page, slow)
    await row.getByTestId('inline-edit').click()
    await row.getByTestId('inline-input').fill('Never mind')
    await page.keyboard.press('Escape')
    await row.getByText('Slow', { exact: true }).waitFor()

    await row.getByTestId('inline-edit').click()
    await row.getByTestId('inline-input').fill('Slow, but sure <b>&amp;</b>')
    await page.keyboard.press('Enter')
    await row.getByText('Slow, but sure <b>&amp;</b>', { exact: true }).waitFor()
    await page.reload()
    await row.waitFor()
    expect(await row.getByTestId('open-experiment').innerText()).toBe('Slow, but sure <b>&amp;</b>')
  })

  test('gets tags and a note, which are found by the search and stay', async () => {
    const page = await application.open(`/experiments/${String(quick)}`)
    await page.getByTestId('tag-input').fill('baseline-2026')
    await page.keyboard.press('Enter')
    await page.getByText('baseline-2026').waitFor()
    await page.getByTestId('note').fill('Asked by the memory team')
    await page.getByTestId('note').blur()
    await page.getByTestId('nav-history').click()
    await historyRow(page, quick).getByText('Asked by the memory team').waitFor()

    for (const search of ['baseline-2026', 'memory team']) {
      await page.getByTestId('history-search').fill(search)
      await expect.poll(() => shownNames(page)).toEqual(['Quick'])
    }
    await page.reload()
    await historyRow(page, quick).getByText('baseline-2026').waitFor()
  })

  test('goes to the trash and back', async () => {
    const page = await application.open('/history')
    await selectExperiments(page, [middle])
    await page.getByTestId('trash-selected').click()
    await historyRow(page, middle).waitFor({ state: 'detached' })

    await page.getByTestId('nav-trash').click()
    await selectExperiments(page, [middle])
    await page.getByTestId('restore-selected').click()
    await page.getByText('The trash is empty').waitFor()
    await page.getByTestId('nav-history').click()
    await expect.poll(() => shownNames(page)).toContain('Middle')
  })

  test('is deleted for good only after a confirmation', async () => {
    const [doomed = 0] = await importExperiments(dataDirectory, [
      finishedExperiment(specOf('Doomed', 3), 9),
    ])
    const page = await application.open('/history')
    await selectExperiments(page, [doomed])
    await page.getByTestId('trash-selected').click()
    await page.getByTestId('nav-trash').click()
    await selectExperiments(page, [doomed])

    await page.getByTestId('delete-selected').click()
    const question = page.getByRole('dialog', { name: 'Delete permanently' })
    await question.getByText('This cannot be undone').waitFor()
    await question.getByRole('button', { name: 'Keep' }).click()
    await question.waitFor({ state: 'hidden' })
    expect(await historyRow(page, doomed).count()).toBe(1)

    await page.getByTestId('delete-selected').click()
    await question.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('The trash is empty').waitFor()
    await page.goto(`${application.host.origin}/#/experiments/${String(doomed)}`)
    await page.getByText('This result cannot be shown').waitFor()
  })

  test('is compared with another one that is selected', async () => {
    const page = await application.open('/history')
    await selectExperiments(page, [slow, quick])
    await page.getByTestId('compare-selected').click()
    await page.getByTestId('compare-table').waitFor()
    const compared = new URL(page.url().replace('#', '')).searchParams.get('experiments')
    expect(compared?.split(',').map(Number).toSorted()).toEqual([slow, quick].toSorted())
  })
})

test('two thousand experiments stay usable', async () => {
  const workload = presetConfig(workloadPresets, 'mha-prefill-d128-s512')
  const template = finishedExperiment(makeSpec({ workload, dataflows: ['fa3'] }))
  const runs = template.runs.map(run =>
    run.status === 'done' ? { ...run, document: { ...run.document, explanation: [] } } : run,
  )
  await importExperiments(
    dataDirectory,
    Array.from({ length: 2000 }, (_, index) => ({
      ...template,
      runs,
      name: `Seeded ${String(index)}`,
      createdAtMs: template.createdAtMs - (index + 1) * 1000,
    })),
  )
  const page = await application.open('/history')
  const count = page.getByTestId('history-count')
  await expect.poll(() => count.innerText()).toBe('2003 of 2003')
  expect(await page.getByTestId('history-row').count()).toBeLessThanOrEqual(100)

  await page.getByTestId('history-search').pressSequentially('seeded 1999')
  await expect.poll(() => shownNames(page)).toEqual(['Seeded 1999'])
  await page.getByTestId('history-search').fill('')
  await page.getByTestId('sort-createdAtMs').click()
  await expect.poll(async () => (await shownNames(page))[0]).toBe('Seeded 1999')
  await page.getByTestId('pagination').getByRole('button', { name: /next/i }).click()
  await expect.poll(async () => (await shownNames(page))[0]).not.toBe('Seeded 1999')
  expect(await page.getByTestId('history-row').count()).toBeLessThanOrEqual(100)

  await page.getByTestId('select-page').check()
  await page.getByTestId('trash-selected').click()
  await expect.poll(() => count.innerText()).toBe('1953 of 1953')
})
