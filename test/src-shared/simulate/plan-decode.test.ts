import { describe, expect, test } from 'vitest'
import type { PlanInput } from '#shared/schema/plan-input.ts'
import { planDecode } from '#shared/simulate/plan-decode.ts'
import { estimateDecode } from '#shared/simulate/run-decode.ts'
import { finish } from '#shared/simulate/simulation.ts'
import { publishedDeployment } from '#shared/validation/validate-deployment.ts'

function plan(search: Partial<PlanInput['search']>) {
  const { system, model, deployment } = publishedDeployment('wafer-1tb', {})
  return finish(
    planDecode({
      ...{ kind: 'plan', engine: 'phase', system, model, deployment },
      search: {
        ...{ batches: [64, 256, 2048], expertParallel: [1, 32], pipelineParallel: [2, 61] },
        attentions: ['flat', 'flash'],
        ...search,
      },
    }),
  )
}

describe('a search below 50 ms', () => {
  const { result } = plan({ sloMs: 50 })

  test('finds the published point', () => {
    expect(result.best).toMatchObject({
      ...{ batchPerChip: 256, expertParallel: 32, pipelineParallel: 2, attention: 'flat' },
    })
  })

  test('gives each point the numbers of tessera decode', () => {
    const { tpotSeconds } = estimateDecode(publishedDeployment('wafer-1tb', {})).result
    expect(result.best?.tpotSeconds).toBeCloseTo(tpotSeconds, 12)
  })

  test('predicts what a change brings', () => {
    const { nextChange, changes = [] } = result.best ?? {}
    expect(nextChange).toBe(changes[0])
    expect(changes.map(({ gain }) => gain)).toEqual(
      changes.map(({ gain }) => gain).toSorted((a, b) => b - a),
    )
    expect(result.best?.bottleneck.share).toBeGreaterThan(0.3)
  })

  test('lists every point once, those without memory apart', () => {
    // EP1 with 2 or 61 stages, EP32 with 2; three batches, two dataflows.
    expect(result.searched).toBe(18)
    expect(result.points.length + result.unfit.length).toBe(18)
    expect(result.unfit.every(({ missingBytes }) => missingBytes > 0)).toBe(true)
  })

  test('has a front on which less TPOT costs throughput', () => {
    const { front } = result
    for (const [index, point] of front.slice(1).entries()) {
      const before = front[index]
      expect(point.tokensPerSecondPerUser).toBeGreaterThan(before?.tokensPerSecondPerUser ?? 0)
      expect(point.tokensPerSecondPerChip).toBeLessThan(before?.tokensPerSecondPerChip ?? 0)
    }
  })
})

test('with a least throughput alone the least TPOT above it is wanted', () => {
  const { best } = plan({ minTokensPerSecondPerChip: 3000 }).result
  expect(best?.batchPerChip).toBe(64)
})

test('what no point meets is unreachable, and nothing is extrapolated', () => {
  const { result } = plan({ sloMs: 0.1 })
  expect(result.best).toBeNull()
  expect(result.unreachable).toMatch(
    /^unreachable: no point meets a TPOT of 100 µs; the least TPOT is/,
  )
})

test('a split that the system has not is refused with those that it has', () => {
  expect(() => plan({ expertParallel: [3] })).toThrow(/allowed are EP1-PP1, .*EP64-PP1/)
})
