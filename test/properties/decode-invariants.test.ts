import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DeploymentConfig } from '#shared/schema/deployment.ts'
import { decodeCache, estimateDecode } from '#shared/simulate/run-decode.ts'
import { publishedDeployment } from '#shared/validation/validate-deployment.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const cache = decodeCache()
const simulate = (change: Partial<DeploymentConfig>) =>
  estimateDecode(
    publishedDeployment('wafer-1tb', {
      ...{ referenceArtefacts: { firstTileTimer: false, downProjectionLikeUp: false } },
      ...change,
      ignoreCapacity: true,
    }),
    cache,
  ).result

const split = fc
  .record({ expert: fc.integer({ min: 0, max: 6 }), pipeline: fc.integer({ min: 0, max: 5 }) })
  .filter(({ expert, pipeline }) => expert + pipeline <= 6)
const deployment = fc
  .record({
    split,
    batch: fc.integer({ min: 2, max: 300 }),
    kvLength: fc.integer({ min: 8, max: 9000 }),
    speculativeLength: fc.integer({ min: 1, max: 4 }),
    acceptance: fc.double({ min: 0, max: 1, noNaN: true }),
    attention: fc.constantFrom('flat', 'flash', 'flash-fair'),
    routing: fc.constantFrom('balanced', 'uniform', 'zipf'),
    communication: fc.constantFrom('barrier', 'overlap', 'none'),
    layers: fc.constantFrom('equal-moe', 'exact'),
  })
  .map(({ split: { expert, pipeline }, batch, ...rest }): Partial<DeploymentConfig> => ({
    ...rest,
    batchPerChip: batch,
    expertParallel: 2 ** expert,
    pipelineParallel: 2 ** pipeline,
  }))

/** Every number in a value, with its path. */
function numbersOf(value: unknown, path = ''): [string, number][] {
  if (typeof value === 'number') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => numbersOf(member, `${path}.${key}`))
}

describe('any deployment', () => {
  test('has as many sequences in flight as throughput times TPOT', () => {
    fc.assert(
      fc.property(deployment, change => {
        const { sequencesInFlight, systemTokensPerSecond, tpotSeconds } = simulate(change)
        expect(systemTokensPerSecond * tpotSeconds).toBeCloseTo(sequencesInFlight, 3)
      }),
      propertyRuns(25),
    )
  })

  test('has finite numbers, none negative, and utilisations of at most 1', () => {
    fc.assert(
      fc.property(deployment, change => {
        const result = simulate(change)
        expect(numbersOf(result).filter(([, one]) => !(Number.isFinite(one) && one >= 0))).toEqual(
          [],
        )
        for (const row of result.kernels) {
          expect(Math.max(row.matrixUtilization, row.hbmBandwidthUtilization)).toBeLessThanOrEqual(
            1,
          )
        }
      }),
      propertyRuns(25),
    )
  })

  test('is never faster than its FLOPs and bytes at the peaks of the chip', () => {
    fc.assert(
      fc.property(deployment, change => {
        for (const row of simulate(change).kernels) {
          const floor = Math.max(row.flops / 2.0238e15, row.hbmBytes / 4.096e12)
          expect(row.seconds).toBeGreaterThanOrEqual(floor * 0.999)
        }
      }),
      propertyRuns(25),
    )
  })
})

describe('more', () => {
  test('acceptance never slows a user down', () => {
    fc.assert(
      fc.property(deployment, change => {
        const tpot = (acceptance: number) => simulate({ ...change, acceptance }).tpotSeconds
        expect(tpot(0.9)).toBeLessThanOrEqual(tpot(0.4))
      }),
      propertyRuns(10),
    )
  })

  test('sequences and longer contexts need more memory, and communication more time', () => {
    fc.assert(
      fc.property(deployment, change => {
        const base = simulate(change)
        const batch = simulate({ ...change, batchPerChip: (change.batchPerChip ?? 1) + 1 })
        const length = simulate({ ...change, kvLength: (change.kvLength ?? 1) * 2 })
        expect(batch.memory.kvCacheBytes).toBeGreaterThan(base.memory.kvCacheBytes)
        expect(length.memory.totalBytes).toBeGreaterThan(base.memory.totalBytes)
        const none = simulate({ ...change, communication: 'none' })
        const barrier = simulate({ ...change, communication: 'barrier' })
        expect(none.iterationSeconds).toBeLessThanOrEqual(barrier.iterationSeconds)
      }),
      propertyRuns(10),
    )
  })
})
