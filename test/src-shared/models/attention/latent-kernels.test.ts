import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dataflowsOf, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { AttentionResult } from '#shared/results/attention-result.ts'
import type { MappingConfig } from '#shared/schema/mapping.ts'
import type { WorkloadConfig } from '#shared/schema/workload.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { presetChip } from '#shared/validation/published-input.ts'
import { makeAttentionInput } from '#test/support/make-attention-input.ts'
import { makeOutcome } from '#test/support/make-outcome.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

const chip = presetChip('flat-2026-fp8')
const decode = makeWorkload({
  variant: 'mla',
  phase: 'decode',
  batch: 256,
  heads: 128,
  kvHeads: 1,
  queryLength: 1,
  speculativeLength: 2,
  dtype: 'fp8',
})
const latentDataflows = dataflowsOf(decode)

const simulate = (
  dataflow: Dataflow,
  changes: Partial<WorkloadConfig> = {},
  mapping: MappingConfig = {},
): AttentionResult =>
  estimateAttention(
    makeAttentionInput({ chip, dataflow, mapping, workload: { ...decode, ...changes } }),
  ).result

describe('mapping of absorbed MLA', () => {
  test.each([
    { batch: 256, speculativeLength: 2, kvLength: 4096, group: [32, 2], groups: 16 },
    { batch: 128, speculativeLength: 4, kvLength: 4096, group: [32, 4], groups: 8 },
    { batch: 128, speculativeLength: 1, kvLength: 512, group: [4, 1], groups: 256 },
  ])(
    'of $batch sequences of $kvLength with $speculativeLength tokens is the one of the paper',
    ({ group, groups, ...shape }) => {
      const { mapping } = simulate('flat-async', shape)
      expect([mapping.groupX, mapping.groupY, mapping.groups]).toEqual([...group, groups])
      expect([mapping.sliceRows, mapping.sliceCols]).toEqual([128, 128])
    },
  )

  test('of FlashMLA gives each sequence one tile and leaves the others idle', () => {
    const { result, warnings } = estimateAttention(
      makeAttentionInput({ chip, workload: decode, dataflow: 'flash-mla' }),
    )
    expect(result.mapping).toMatchObject({ groupX: 1, groupY: 1, outerIterations: 2 })
    expect(result.matrixUtilization).toBeLessThan(0.25)
    expect(warnings.map(({ message }) => message)).toContain(
      '768 of 1024 tiles have no work: 256 active groups of 1 × 1',
    )
  })

  test('of the fair FlashMLA leaves no tile idle, and is faster', () => {
    const { result, warnings } = estimateAttention(
      makeAttentionInput({ chip, workload: decode, dataflow: 'flash-mla-fair' }),
    )
    expect(warnings.map(({ code }) => code)).not.toContain('idle-tiles')
    expect(result.cycles).toBeLessThan(simulate('flash-mla').cycles / 2)
  })

  test('of the fair FlashMLA splits KV where there are few sequences', () => {
    const one = simulate('flash-mla-fair', { batch: 1, speculativeLength: 1 })
    expect(one.mapping.groupX).toBeGreaterThan(8)
    const whole = simulate('flash-mla-fair', { batch: 1, speculativeLength: 1 }, { groupX: 1 })
    expect(one.cycles).toBeLessThan(whole.cycles / 4)
  })

  test('of the fair FlashMLA is the fastest of the splits', () => {
    const chosen = simulate('flash-mla-fair')
    for (const groupX of [1, 2, 4, 8, 16, 32]) {
      for (const sliceRows of [32, 64, 128]) {
        const { cycles } = simulate('flash-mla-fair', {}, { groupX, sliceRows })
        expect(chosen.cycles).toBeLessThanOrEqual(cycles)
      }
    }
  })
})

describe('work and traffic of absorbed MLA', () => {
  test.each(latentDataflows)('%s does the same useful work', dataflow => {
    expect(simulate(dataflow).usefulFlops).toBe(2 * 256 * 256 * 4096 * (576 + 512))
  })

  test('the latent is read as K and as V, Q once, O written once', () => {
    const { hbmReadBytes, hbmWriteBytes } = simulate('flat-async')
    expect(hbmReadBytes).toBe(256 * 256 * 576 + 256 * 4096 * (576 + 512))
    expect(hbmWriteBytes).toBe(256 * 256 * 512)
  })

  test('Q is read for each column block, but once by each tile of the fair FlashMLA', () => {
    const latent = 256 * 2 * 4096 * (576 + 512)
    const query = 256 * 256 * 576
    expect(simulate('flash-mla').hbmReadBytes).toBe(latent + 32 * query)
    expect(simulate('flash-mla-fair', {}, { groupX: 2, sliceRows: 128 }).hbmReadBytes).toBe(
      latent + 2 * query,
    )
  })

  test('speculated tokens are more rows, and do not change the bytes of the latent', () => {
    const one = simulate('flat-async', { speculativeLength: 1 })
    const four = simulate('flat-async', { speculativeLength: 4 })
    expect(four.usefulFlops).toBe(4 * one.usefulFlops)
    expect(four.hbmWriteBytes).toBe(4 * one.hbmWriteBytes)
    expect(four.hbmReadBytes - one.hbmReadBytes).toBe(3 * 256 * 128 * 576)
  })
})

describe('several column blocks', () => {
  // In software the reduction of O takes longest, which KV does not lengthen.
  test.each(latentDataflows.filter(dataflow => !['flat-sc', 'flat-tc'].includes(dataflow)))(
    '%s takes four times as long for four times the KV',
    dataflow => {
      const short = simulate(dataflow, { kvLength: 4096 })
      const long = simulate(dataflow, { kvLength: 4 * 4096 })
      expect(long.cycles).toBeGreaterThan(3.5 * short.cycles)
      expect(long.cycles).toBeLessThan(4.5 * short.cycles)
    },
  )

  test('cost the interleaved kernel the buffers of eight chunks of output', () => {
    const one = simulate('flat-async', { kvLength: 4096 })
    const two = simulate('flat-async', { kvLength: 4097 }, { sliceCols: 128 })
    expect([one, two].map(({ mapping }) => mapping.innerIterations)).toEqual([1, 2])
    expect(one.l1PeakBytes).toBe(11 * 128 * 128 + 5 * 128)
    expect(two.l1PeakBytes).toBe(16 * 128 * 128 + 10 * 128)
  })

  test('cost the synchronous kernel time to rescale O, on top of the matrix work', () => {
    const vector = (kvLength: number) =>
      simulate('flat-hc', { kvLength }).breakdown.find(part => part.component === 'vector')
        ?.seconds ?? 0
    expect(vector(8192)).toBeGreaterThan(2 * vector(4096) * 0.9)
  })
})

describe('interleaving two sequences', () => {
  test('hides the softmax and most of the loads', () => {
    const [sync, async] = [simulate('flat-hc'), simulate('flat-async')]
    expect(async.cycles).toBeLessThan(0.93 * sync.cycles)
    expect(async.breakdown.find(part => part.component === 'vector')?.seconds).toBe(0)
  })

  test('leaves a single sequence as it is without', () => {
    const one = { batch: 1 }
    expect(simulate('flat-async', one).cycles).toBe(simulate('flat-hc', one).cycles)
  })

  test('an odd number is a pair and one alone', () => {
    const group = { groupX: 32, groupY: 32, sliceRows: 8 }
    const cycles = (batch: number) => simulate('flat-async', { batch }, group).cycles
    const barriers = 2 * (72 + 2.67 * 64)
    // The sequences lie further apart in memory, so not as many of their rows stay open.
    expect(Math.abs(cycles(3) / (cycles(2) + cycles(1) - barriers) - 1)).toBeLessThan(0.03)
  })
})

test('collectives in software take longer, in hardware least', () => {
  const [hardware, tree, sequential] = (['flat-hc', 'flat-tc', 'flat-sc'] as const).map(
    dataflow => simulate(dataflow).cycles,
  )
  expect(hardware).toBeLessThan(tree ?? 0)
  expect(tree).toBeLessThan(sequential ?? 0)
})

test('whatever the shape, all of the latent kernels agree on useful work and stay under the peaks', () => {
  fc.assert(
    fc.property(
      fc.record({
        batch: fc.integer({ min: 1, max: 300 }),
        heads: fc.constantFrom(1, 16, 24, 128),
        speculativeLength: fc.integer({ min: 1, max: 4 }),
        kvLength: fc.integer({ min: 1, max: 20_000 }),
        causal: fc.boolean(),
        dtype: fc.constantFrom('fp8' as const, 'fp16' as const),
      }),
      changes => {
        const results = latentDataflows.flatMap(dataflow => {
          const outcome = makeOutcome(
            makeAttentionInput({ chip, dataflow, workload: { ...decode, ...changes } }),
          )
          return outcome.kind === 'document' ? [outcome.document.result] : []
        })
        expect(results).toHaveLength(latentDataflows.length)
        expect(new Set(results.map(({ usefulFlops }) => usefulFlops)).size).toBe(1)
        for (const { matrixUtilization, hbmBandwidthUtilization } of results) {
          expect(matrixUtilization).toBeLessThanOrEqual(1)
          expect(hbmBandwidthUtilization).toBeLessThanOrEqual(1)
        }
      },
    ),
    propertyRuns(60),
  )
})
