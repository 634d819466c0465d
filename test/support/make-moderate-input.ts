import fc from 'fast-check'
import { dataflowsOf, isFlash } from '#shared/mapping/dataflow.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { makeChipConfig, makeHbm, noArtefacts } from '#test/support/make-chip.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

const side = fc.constantFrom(1, 2, 3, 4, 4, 5, 6, 8, 8)
const slice = fc.constantFrom(16, 32, 48, 64, 96, 128)

/** Memory on any edges: mostly as presets have it, also odd numbers of channels. */
const channels = fc.oneof(
  fc.record({ south: fc.integer({ min: 1, max: 16 }) }),
  fc.record({ west: fc.constantFrom(1, 2, 4, 8), south: fc.constantFrom(1, 2, 4, 8) }),
  fc.record({ west: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ north: fc.integer({ min: 1, max: 8 }) }),
  fc.record({
    west: fc.constantFrom(1, 2, 3),
    north: fc.constantFrom(1, 2, 4),
    east: fc.constantFrom(1, 2, 3),
    south: fc.constantFrom(1, 2, 4),
  }),
)

const heads = fc.oneof(
  fc.constantFrom(1, 2, 3, 4, 8, 16).map(count => ({
    variant: 'mha' as const,
    heads: count,
    kvHeads: count,
  })),
  fc.constantFrom(4, 8).map(count => ({ variant: 'mqa' as const, heads: count, kvHeads: 1 })),
  fc
    .tuple(fc.constantFrom(2, 4), fc.constantFrom(2, 3, 8))
    .map(([kvHeads, shared]) => ({ variant: 'gqa' as const, heads: kvHeads * shared, kvHeads })),
)

const lengths = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ phase: 'decode' as const, queryLength: 1 }) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(64, 100, 128, 200, 256, 384, 512, 1000)
      .map(queryLength => ({ phase: 'prefill' as const, queryLength })),
  },
)

/**
 * Kernels that the event engine simulates in about a tenth of a second, on meshes of up to 8 × 8
 * tiles: every dataflow, group, slice, edge with memory, variant and mask. The group is any that
 * fits, whether it divides the mesh or not.
 */
export const moderateInput: fc.Arbitrary<AttentionInput> = fc
  .record({
    dataflow: fc.constantFrom(...dataflowsOf({ variant: 'mha', phase: 'prefill' })),
    tiles: fc.record({ x: side, y: side }),
    channels,
    heads,
    lengths,
    batch: fc.constantFrom(1, 1, 2, 3),
    headDim: fc.constantFrom(64, 128),
    kvLength: fc.oneof(
      { weight: 19, arbitrary: fc.constantFrom(100, 128, 256, 512, 777, 1024, 2048) },
      { weight: 1, arbitrary: fc.constant(0) },
    ),
    causal: fc.boolean(),
    asReference: fc.boolean(),
    dtype: fc.constantFrom('fp16' as const, 'fp8' as const),
    sliceRows: slice,
    sliceCols: slice,
    groupX: fc.integer({ min: 1, max: 8 }),
    groupY: fc.integer({ min: 1, max: 8 }),
  })
  .map(parts => {
    const { tiles, dataflow, groupX, groupY, sliceRows, sliceCols } = parts
    return {
      kind: 'attention' as const,
      engine: 'phase' as const,
      chip: makeChipConfig({
        tiles,
        hbm: makeHbm(parts.channels),
        ...(parts.asReference ? {} : { referenceArtefacts: noArtefacts }),
      }),
      workload: makeWorkload({
        ...parts.heads,
        ...parts.lengths,
        batch: parts.batch,
        headDim: parts.headDim,
        kvLength: parts.kvLength,
        causal: parts.causal,
        dtype: parts.dtype,
      }),
      dataflow,
      mapping: {
        sliceRows,
        sliceCols,
        ...(isFlash(dataflow)
          ? {}
          : { groupX: Math.min(groupX, tiles.x), groupY: Math.min(groupY, tiles.y) }),
      },
    }
  })
