import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closedRows } from '#shared/models/attention/closed-rows.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { resolveWorkload } from '#shared/schema/workload.ts'
import { attentionOutcome } from '#shared/simulate/attention-outcome.ts'
import { makeChip, makeHbm } from '#test/support/make-chip.ts'
import { makeKernelShape } from '#test/support/make-kernel-shape.ts'
import { latentInput } from '#test/support/make-latent-input.ts'
import { moderateInput } from '#test/support/make-moderate-input.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const slices = { sliceRows: 64, sliceCols: 64, groupX: 1, groupY: 1 }
const oneChannel = makeChip({ tiles: { x: 1, y: 1 }, hbm: makeHbm({ south: 1 }) })

describe('rows of memory that loads find closed', () => {
  test('are few where all operands lie in four rows of one channel', () => {
    // Q, O, K and V of 64 × 64 elements have 8 KiB each: 32 KiB in rows of 16 KiB, one in each bank.
    const tiny = { queryLength: 64, kvLength: 64, headDim: 64 }
    const shape = makeKernelShape('flat-hc', tiny, slices, oneChannel)
    // K opens the row in which V lies, too.
    expect(closedRows('flat-hc', shape, oneChannel)).toEqual({ query: 1, key: 1, value: 0 })
  })

  test('are all where every load is a row of its own', () => {
    // 64 × 128 elements of 2 bytes are 16 KiB: a row of the only channel.
    const long = { queryLength: 64, kvLength: 64 * 64, headDim: 128 }
    const shape = makeKernelShape('flat-hc', long, slices, oneChannel)
    expect(closedRows('flat-hc', shape, oneChannel)).toEqual({ query: 1, key: 1, value: 1 })
  })

  test('get fewer with the number of channels, whose rows together are longer', () => {
    const long = { queryLength: 64, kvLength: 64 * 64, headDim: 128 }
    // 5 channels: K and V do not lie a multiple of four rows apart.
    const wide = makeChip({ tiles: { x: 1, y: 1 }, hbm: makeHbm({ south: 5 }) })
    const shape = makeKernelShape('flat-hc', long, slices, wide)
    const { key, value } = closedRows('flat-hc', shape, wide)
    expect(key + value).toBeLessThan(2)
    expect(key + value).toBeGreaterThan(0)
  })

  test('are a share, for every kernel', () => {
    fc.assert(
      fc.property(fc.oneof(moderateInput, latentInput), input => {
        const chip = resolveChip(input.chip)
        const workload = resolveWorkload(input.workload)
        const outcome = attentionOutcome(input.dataflow, workload, input.mapping, chip)
        if (outcome.kind === 'problem') throw new Error(outcome.message)
        const { query, key, value } = closedRows(input.dataflow, outcome.kernel.shape, chip)
        for (const share of [query, key, value]) {
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(1)
        }
      }),
      propertyRuns(100),
    )
  })
})
