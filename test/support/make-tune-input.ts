import { dataflows } from '#shared/mapping/dataflow.ts'
import type { TuneInput } from '#shared/schema/tune-input.ts'
import { makeChipConfig } from '#test/support/make-chip.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

/** A search over all dataflows for one head on the chip of arXiv 2604.02110, with changes. */
export const makeTuneInput = (
  changes: Partial<Omit<TuneInput, 'kind' | 'engine'>> = {},
): TuneInput => ({
  kind: 'tune',
  engine: 'phase',
  chip: makeChipConfig(),
  workload: makeWorkload(),
  dataflows: [...dataflows],
  mapping: {},
  ...changes,
})
