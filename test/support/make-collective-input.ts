import type { CollectiveConfig, CollectiveInput } from '#shared/schema/collective-input.ts'
import { makeChipConfig } from '#test/support/make-chip.ts'

/** 32 KiB to the 32 tiles of a row, in hardware, with some fields replaced. */
export const makeCollectiveInput = (
  changes: Partial<CollectiveConfig> = {},
  chip: CollectiveInput['chip'] = makeChipConfig(),
): CollectiveInput => ({
  kind: 'collective',
  engine: 'phase',
  chip,
  collective: {
    operation: 'multicast',
    implementation: 'hw',
    bytes: 32_768,
    dtype: 'fp16',
    columns: 32,
    rows: 1,
    barriers: 'participants',
    ...changes,
  },
})
