import { expect, test } from 'vitest'
import { runsListText } from '#main/cli/runs-list-text.ts'
import type { ExperimentSummary } from '#shared/ipc/contract.ts'

type RunSummary = ExperimentSummary['runs'][number]

const run = (dataflow: RunSummary['dataflow'], seconds: number | null): RunSummary => ({
  id: 1,
  dataflow,
  status: seconds === null ? 'crashed' : 'done',
  seconds,
  matrixUtilization: seconds === null ? null : 0.5,
})

const lastRow = (...runs: RunSummary[]): string | undefined =>
  runsListText([
    {
      id: 12,
      kind: 'attention',
      name: 'An experiment',
      note: '',
      tags: [],
      createdAtMs: 0,
      trashedAtMs: null,
      chipName: 'Chip',
      workloadName: 'Workload',
      runs,
    },
  ])
    .trimEnd()
    .split('\n')
    .at(-1)

test('one dataflow stands with its runtime', () => {
  expect(lastRow(run('fa2', 1e-3))).toMatch(/^ 12 .* fa2 +1 ms +50\.0 % +An experiment$/)
})

test('of several the fastest stands for all', () => {
  expect(lastRow(run('fa2', null), run('fa3', 2e-3), run('flat-hc', 1e-3))).toMatch(
    / flat-hc, fastest of 3 +1 ms +50\.0 % +An experiment$/,
  )
})

test('without a result the state stands, once', () => {
  expect(lastRow(run('fa2', null), run('fa3', null))).toMatch(/ 2 dataflows +crashed +n\/a +An/)
  expect(lastRow(run('fa2', null))).toMatch(/ fa2 +crashed +n\/a +An/)
})
