import { describe, expect, test } from 'vitest'
import { filterRows, historyRow, sortRows } from '#renderer/features/history/history-rows.ts'
import { makeSummary } from '#test/src-renderer/support/make-experiment.ts'

const run = (
  dataflow: 'fa2' | 'flat-hc',
  status: 'done' | 'failed' | 'running',
  seconds: number | null,
) => ({ id: 1, dataflow, status, seconds, matrixUtilization: null })

describe('a row', () => {
  test('has the best time of its runs', () => {
    const summary = makeSummary({ runs: [run('fa2', 'done', 4), run('flat-hc', 'done', 1)] })
    expect(historyRow(summary)).toMatchObject({ bestSeconds: 1, bestDataflow: 'flat-hc' })
  })

  test('has no best time before one is done', () => {
    const summary = makeSummary({ runs: [run('fa2', 'running', null)] })
    expect(historyRow(summary).bestSeconds).toBeUndefined()
  })

  test('tells what goes on, else what went wrong', () => {
    const statusOf = (...runs: ReturnType<typeof run>[]) => historyRow(makeSummary({ runs })).status
    expect(statusOf(run('fa2', 'failed', null), run('flat-hc', 'running', null))).toBe('running')
    expect(statusOf(run('fa2', 'failed', null), run('flat-hc', 'done', 1))).toBe('failed')
  })
})

const rows = [
  makeSummary({ id: 1, name: 'Run 10', tags: ['isca'], runs: [run('fa2', 'done', 3)] }),
  makeSummary({ id: 2, name: 'Run 9', note: 'too slow', runs: [run('flat-hc', 'failed', null)] }),
  makeSummary({ id: 3, name: 'Run 11', chipName: 'Wafer', runs: [run('fa2', 'done', 2)] }),
].map(historyRow)
const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id)

describe('search', () => {
  test.each([
    ['', [1, 2, 3]],
    ['ISCA', [1]],
    ['slow', [2]],
    ['wafer fa2', [3]],
    ['flashattention-2', [1, 3]],
    ['failed', [2]],
    ['wafer isca', []],
  ])('%j finds %j', (search, found) => {
    expect(ids(filterRows(rows, search))).toEqual(found)
  })
})

describe('order', () => {
  test('numbers in names count as numbers', () => {
    expect(ids(sortRows(rows, { key: 'name', direction: 'ascending' }))).toEqual([2, 1, 3])
  })

  test('rows without a time come last either way', () => {
    expect(ids(sortRows(rows, { key: 'bestSeconds', direction: 'ascending' }))).toEqual([3, 1, 2])
    expect(ids(sortRows(rows, { key: 'bestSeconds', direction: 'descending' }))).toEqual([1, 3, 2])
  })
})
