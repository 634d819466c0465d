import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  attentionShare,
  contextFlops,
  projectionFlops,
  type DecoderLayer,
  type GroupedHeads,
  type LatentHeads,
} from '#shared/workload/decoder-layer.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const deepSeek: LatentHeads = {
  kind: 'latent',
  hidden: 7168,
  heads: 128,
  queryRank: 1536,
  latentDim: 512,
  ropeDim: 64,
  valueDim: 128,
}
const grouped: GroupedHeads = {
  kind: 'grouped',
  hidden: 4096,
  heads: 32,
  kvHeads: 8,
  headDim: 128,
}
const nothing = { hidden: 0, inner: 0, activeExperts: 0, routedExperts: 0 }
const experts = { hidden: 7168, inner: 2048, activeExperts: 9, routedExperts: 256 }

describe('FLOPs of a token in the context', () => {
  test('are 278,528 for each pair of positions in DeepSeek-v3 with absorbed weights', () => {
    expect(contextFlops(deepSeek, 1)).toBe(278_528)
  })

  test('are 18,253,611,008 for 128 sequences, 16 heads and a context of 4,096', () => {
    expect(128 * contextFlops({ ...deepSeek, heads: 16 }, 4096)).toBe(18_253_611_008)
  })

  test('count query heads, whoever shares their keys', () => {
    expect(contextFlops(grouped, 10)).toBe(4 * 32 * 128 * 10)
    expect(contextFlops({ ...grouped, kvHeads: 1 }, 10)).toBe(contextFlops(grouped, 10))
  })
})

describe('FLOPs of a token in the matrices', () => {
  test('are twice the weights of the queries, keys, values and the output', () => {
    const weights = 4096 * 4096 + 2 * 4096 * 1024 + 4096 * 4096
    expect(projectionFlops({ attention: grouped, feedForward: nothing })).toBe(2 * weights)
  })

  test('are twice the weights of the absorbed projections', () => {
    const weights = 7168 * 2112 + 1536 * 65_536 + 1536 * 8192 + 128 * 512 * 128 + 16_384 * 7168
    expect(projectionFlops({ attention: deepSeek, feedForward: nothing })).toBe(2 * weights)
  })

  test('have three matrices for each expert that a token visits, and the router', () => {
    const without = projectionFlops({ attention: deepSeek, feedForward: nothing })
    const moe = projectionFlops({ attention: deepSeek, feedForward: experts })
    expect(moe - without).toBe(2 * (9 * 44_040_192 + 7168 * 256))
  })
})

describe('the share of attention', () => {
  const layer: DecoderLayer = { attention: deepSeek, feedForward: experts }

  test('is nothing without context and grows towards 1', () => {
    expect(attentionShare(layer, 0)).toBe(0)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), length => {
        const share = attentionShare(layer, length)
        expect(share).toBeGreaterThan(attentionShare(layer, length - 1))
        expect(share).toBeLessThan(1)
      }),
      propertyRuns(200),
    )
  })

  test('is a half where the context costs what the matrices cost', () => {
    const length = projectionFlops(layer) / contextFlops(deepSeek, 1)
    expect(attentionShare(layer, length)).toBeCloseTo(0.5, 12)
  })
})
