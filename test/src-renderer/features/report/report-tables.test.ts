import { expect, test } from 'vitest'
import { reportTables } from '#renderer/features/report/report-tables.ts'
import { finishedRuns } from '#renderer/results/run-view.ts'
import { makeExperiment, makeRun } from '#test/src-renderer/support/make-experiment.ts'

const runs = (count: number) =>
  finishedRuns(
    Array.from({ length: count }, (_, index) => makeExperiment({ id: index, runs: [makeRun()] })),
  )

test.each([
  [0, []],
  [1, [1]],
  [6, [6]],
  [7, [4, 4]],
  [12, [5, 5, 4]],
])('%d runs fit the page as tables of %j columns', (count, columns) => {
  expect(reportTables(runs(count)).map(table => table.length)).toEqual(columns)
})

test('each table starts with the baseline, and no run is lost', () => {
  const all = runs(12)
  const tables = reportTables(all)
  expect(tables.map(table => table[0])).toEqual([all[0], all[0], all[0]])
  expect(new Set(tables.flat())).toEqual(new Set(all))
})
