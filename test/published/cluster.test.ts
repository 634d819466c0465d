import { describe, expect, test } from 'vitest'
import { estimateCluster } from '#shared/simulate/run-cluster.ts'
import { productionDeployment, validateCluster } from '#shared/validation/validate-cluster.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

describe('DeepSeek-v3-671B on 144 H800', () => {
  expectSets(validateCluster(), [
    { id: 'h800-estimate-2025', rows: 7, target: { meanAbsoluteError: 0.01, largestError: 0.02 } },
    { id: 'h800-production-2025', rows: 1, target: { meanAbsoluteError: 0.1, largestError: 0.1 } },
  ])
})

describe('an iteration of 88 sequences with 4,989 tokens', () => {
  const { result } = estimateCluster(productionDeployment())
  const change = (to: Parameters<typeof productionDeployment>[0]) =>
    estimateCluster(productionDeployment(to)).result

  test('takes 44.0 ms, and 22.06 ms without the network', () => {
    expect(Math.abs(result.iterationSeconds / 44.0e-3 - 1)).toBeLessThan(0.02)
    const none = change({ communication: 'none' })
    expect(Math.abs(none.iterationSeconds / 22.06e-3 - 1)).toBeLessThan(0.02)
    expect(none.communication.exposedSeconds).toBe(0)
  })

  test('is the sum of its terms, and of its kernels with the network', () => {
    const terms = result.terms.reduce((sum, { seconds }) => sum + seconds, 0)
    const kernels = result.kernels.reduce((sum, { seconds }) => sum + seconds, 0)
    expect(terms).toBeCloseTo(result.iterationSeconds, 12)
    expect(kernels + result.communication.exposedSeconds).toBeCloseTo(result.iterationSeconds, 12)
  })

  test('has 175.29 MB of cache in each sequence', () => {
    expect(result.memory.kvCacheBytesPerSequence).toBe(4989 * 61 * 576)
    expect(result.memory.kvCacheBytesPerSequence / 1e6).toBeCloseTo(175.29, 2)
  })

  test('hides the network behind the other half of the batch with overlap', () => {
    const overlap = change({ communication: 'overlap' })
    expect(overlap.iterationSeconds).toBeLessThan(result.iterationSeconds)
    expect(overlap.iterationSeconds).toBeGreaterThan(21.8e-3)
  })

  test('has as many sequences in flight as throughput times TPOT', () => {
    expect(result.systemTokensPerSecond * result.tpotSeconds).toBeCloseTo(144 * 88, 6)
    // What its makers report: 14,800 tokens/s of a node of 8, at 48 ms.
    expect((14_800 / 8) * 48e-3).toBeCloseTo(88.8, 6)
  })

  test('costs more with each draft, and yields what the chances say', () => {
    const drafted = change({ speculativeLength: 3, acceptance: [0.8, 0.8] })
    expect(drafted.tokensPerIteration).toBeCloseTo(2.44, 12)
    const network = (of: typeof result) => of.communication.bytesPerLayer
    expect(network(drafted)).toBeCloseTo(3 * network(result), 0)
    expect(drafted.iterationSeconds).toBeGreaterThan(2 * result.iterationSeconds)
  })

  test('refuses what does not fit, with the batch that does', () => {
    expect(() => change({ batchPerChip: 1000 })).toThrow(/does not fit, .* batchPerChip 329;/)
    expect(change({ batchPerChip: 329 }).fits).toBe(true)
    expect(() => change({ batchPerChip: 330 })).toThrow(/does not fit/)
    expect(change({ batchPerChip: 330, ignoreCapacity: true }).fits).toBe(false)
  })
})
