import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { makeChipConfig } from '#test/support/make-chip.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

/** FlatAsync of one head on the chip of arXiv 2604.02110, with some parts replaced. */
export const makeAttentionInput = (
  changes: Partial<Omit<AttentionInput, 'kind' | 'engine'>> = {},
): AttentionInput => ({
  kind: 'attention',
  engine: 'phase',
  chip: makeChipConfig(),
  workload: makeWorkload(),
  dataflow: 'flat-async',
  mapping: {},
  ...changes,
})
