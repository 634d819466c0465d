import { dataflowsOf } from '#shared/mapping/dataflow.ts'
import type { TuneInput } from '#shared/schema/tune-input.ts'
import { makeChipConfig } from '#test/support/make-chip.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

/** A search over all dataflows of the workload, for one head on the chip of arXiv 2604.02110, with changes. */
export const makeTuneInput = (
  changes: Partial<Omit<TuneInput, 'kind' | 'engine'>> = {},
): TuneInput => {
  const workload = changes.workload ?? makeWorkload()
  return {
    kind: 'tune',
    engine: 'phase',
    chip: makeChipConfig(),
    workload,
    dataflows: [...dataflowsOf(workload)],
    mapping: {},
    ...changes,
  }
}
