import fc from 'fast-check'
import { dataflowsOf, isFlash } from '#shared/mapping/dataflow.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { makeChipConfig, makeHbm, noArtefacts } from '#test/support/make-chip.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

const side = fc.constantFrom(1, 2, 3, 4, 4, 5, 8, 8)

const shared = {
  tiles: fc.record({ x: side, y: side }),
  channels: fc.oneof(
    fc.record({ south: fc.integer({ min: 1, max: 16 }) }),
    fc.record({ west: fc.constantFrom(1, 2, 4), south: fc.constantFrom(1, 2, 4) }),
  ),
  batch: fc.constantFrom(1, 2, 4, 8),
  kvLength: fc.constantFrom(100, 128, 512, 777, 1024),
  causal: fc.boolean(),
  asReference: fc.boolean(),
  dtype: fc.constantFrom('fp16' as const, 'fp8' as const),
  groupX: fc.integer({ min: 1, max: 8 }),
  groupY: fc.integer({ min: 1, max: 8 }),
}

const decode = fc
  .record({
    dataflow: fc.constantFrom(...dataflowsOf({ variant: 'mla', phase: 'decode' })),
    heads: fc.constantFrom(16, 32, 64, 128),
    speculativeLength: fc.constantFrom(1, 2, 4),
  })
  .map(drawn => ({ ...drawn, phase: 'decode' as const, kvHeads: 1, queryLength: 1 }))

const prefill = fc
  .record({
    dataflow: fc.constantFrom(...dataflowsOf({ variant: 'mla', phase: 'prefill' })),
    heads: fc.constantFrom(2, 4, 8),
    queryLength: fc.constantFrom(64, 100, 256),
  })
  .map(drawn => ({
    ...drawn,
    phase: 'prefill' as const,
    kvHeads: drawn.heads,
    speculativeLength: 1,
  }))

/**
 * Kernels of MLA with the dimensions of DeepSeek that the event engine simulates in about a tenth of
 * a second: decode with absorption by every dataflow that has it, and prefill without; the slices are
 * those of the rule.
 */
export const latentInput: fc.Arbitrary<AttentionInput> = fc
  .tuple(
    fc.record(shared),
    fc.oneof({ weight: 3, arbitrary: decode }, { weight: 1, arbitrary: prefill }),
  )
  .map(([{ tiles, channels, asReference, groupX, groupY, ...drawn }, { dataflow, ...kernel }]) => ({
    kind: 'attention' as const,
    engine: 'phase' as const,
    chip: makeChipConfig({
      tiles,
      hbm: makeHbm(channels),
      ...(asReference ? {} : { referenceArtefacts: noArtefacts }),
    }),
    workload: makeWorkload({ variant: 'mla', headDim: 128, ...drawn, ...kernel }),
    dataflow,
    mapping: isFlash(dataflow)
      ? {}
      : { groupX: Math.min(groupX, tiles.x), groupY: Math.min(groupY, tiles.y) },
  }))
