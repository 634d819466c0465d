import { describe, expect, test } from 'vitest'
import { fig12Points, fig12Workloads } from '#shared/validation/fig12-points.ts'
import { validateFig12 } from '#shared/validation/validate-fig12.ts'
import { compulsoryBytes } from '#shared/workload/attention.ts'
import { resolveWorkload } from '#shared/schema/workload.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

const sets = validateFig12()
const points = fig12Points()
const withoutMla = points.filter(({ workload }) => workload.variant !== 'mla')

describe('the averages of Fig. 12', () => {
  expectSets(sets, [
    {
      id: 'fig12-averages-2026',
      rows: 5,
      target: { meanAbsoluteError: 0.08, largestError: 0.16 },
    },
  ])

  test('stand with their spread, which encloses the mean', () => {
    const means = (sets[0]?.rows ?? []).filter(({ name }) => name.endsWith('mean'))
    expect(means).toHaveLength(3)
    for (const { spread, predicted } of means) {
      expect(spread?.count).toBeGreaterThan(7)
      expect(spread?.minimum).toBeLessThan(predicted)
      expect(spread?.maximum).toBeGreaterThan(predicted)
      expect(spread?.standardDeviation).toBeGreaterThan(0)
    }
  })

  test('run over each point with a label once', () => {
    const [compute, , memory] = sets[0]?.rows ?? []
    expect((compute?.spread?.count ?? 0) + (memory?.spread?.count ?? 0)).toBe(points.length)
  })
})

describe('the points of Fig. 12', () => {
  test('are the 8 shapes of prefill, 24 of MHA and GQA decode, and 12 of MLA', () => {
    const count = (variant: string, phase: string) =>
      fig12Workloads().filter(one => one.variant === variant && one.phase === phase).length
    expect([
      count('mha', 'prefill'),
      count('mha', 'decode'),
      count('gqa', 'decode'),
      count('mla', 'decode'),
    ]).toEqual([8, 12, 12, 12])
    expect(new Set(fig12Workloads().map(({ name }) => name)).size).toBe(44)
  })

  test('have a prediction for every shape', () => {
    expect(points).toHaveLength(44)
    expect(withoutMla).toHaveLength(32)
  })

  test('of MLA are compute-bound with four tokens and at least 512 of KV', () => {
    const compute = points
      .filter(({ workload, label }) => workload.variant === 'mla' && label === 'compute')
      .map(({ workload }) => [workload.speculativeLength, workload.kvLength])
    expect(compute).toEqual([
      [4, 512],
      [4, 1024],
      [4, 2048],
      [4, 4096],
    ])
  })

  test('are compute-bound in prefill and memory-bound in decode', () => {
    for (const { workload, label } of withoutMla) {
      expect(label).toBe(workload.phase === 'prefill' ? 'compute' : 'memory')
    }
  })

  test('are compared with a GH200 in all but one: MHA, speculative length 4, KV 4,096', () => {
    const unknown = withoutMla.filter(({ speedUp }) => speedUp === undefined)
    expect(unknown.map(({ workload }) => workload)).toMatchObject([
      { variant: 'mha', speculativeLength: 4, kvLength: 4096 },
    ])
  })

  test('move no byte of Q, K, V and O twice in decode, so that the label is that of the paper', () => {
    for (const { workload, result } of withoutMla.filter(({ label }) => label === 'memory')) {
      const moved = result.hbmReadBytes + result.hbmWriteBytes
      expect(moved).toBe(compulsoryBytes(resolveWorkload(workload)))
    }
  })
})
