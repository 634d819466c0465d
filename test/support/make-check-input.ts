import type { CheckInput } from '#shared/schema/check-input.ts'
import { makeHbm, makeNewDesign } from '#test/support/make-chip.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

/** A design without artefacts with this mesh, and memory on two edges. */
export const makeSmallChip = (x: number, y: number): CheckInput['chip'] =>
  makeNewDesign({ tiles: { x, y }, hbm: makeHbm({ west: 2, south: 3 }) })

/** Two heads of 24 × 40 on 4 × 4 tiles in double precision, with some parts replaced. */
export const makeCheckInput = (
  changes: Partial<Omit<CheckInput, 'kind' | 'engine' | 'workload'>> & {
    readonly workload?: Partial<CheckInput['workload']>
  } = {},
): CheckInput => ({
  kind: 'check',
  engine: 'event',
  loaders: 'diagonal',
  chip: makeSmallChip(4, 4),
  dataflow: 'flat-async',
  mapping: { groupX: 2, groupY: 2, sliceRows: 6, sliceCols: 5 },
  precision: 'fp64',
  seed: 1,
  ...changes,
  workload: makeWorkload({
    heads: 2,
    kvHeads: 2,
    headDim: 8,
    queryLength: 24,
    kvLength: 40,
    ...changes.workload,
  }),
})
