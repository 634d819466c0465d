import { describe, expect, test } from 'vitest'
import { compare, configurationDifferences, metricDelta, speedUp } from '#shared/results/compare.ts'
import { metricById } from '#shared/results/metric.ts'
import { makeResult } from '#test/src-renderer/support/make-document.ts'

describe('metrics against a baseline', () => {
  const deltas = compare(
    makeResult({ seconds: 0.002, matrixUtilization: 0.4 }),
    makeResult({ seconds: 0.001, matrixUtilization: 0.8 }),
  )
  const deltaOf = (id: string) => deltas.find(delta => delta.metric.id === id)

  test('less time is better', () => {
    expect(deltaOf('runtime')).toMatchObject({ change: -0.5, verdict: 'better' })
  })

  test('more utilisation is better', () => {
    expect(deltaOf('matrix.utilization')).toMatchObject({ change: 1, verdict: 'better' })
  })

  test('equal values are equal', () => {
    expect(deltaOf('hbm.traffic')).toMatchObject({ change: 0, verdict: 'equal' })
  })

  test('a metric without a direction is only different', () => {
    expect(metricDelta(metricById('noc.traffic'), 1, 2).verdict).toBe('different')
  })

  test('more traffic is worse', () => {
    expect(metricDelta(metricById('hbm.traffic'), 1, 2)).toMatchObject({
      change: 1,
      verdict: 'worse',
    })
  })

  test('there is no percentage of a baseline of zero', () => {
    expect(metricDelta(metricById('hbm.written'), 0, 5)).toMatchObject({
      change: undefined,
      verdict: 'worse',
    })
  })
})

describe('speed-up', () => {
  test('is baseline over other', () => {
    expect(speedUp({ seconds: 4 }, { seconds: 1 })).toBe(4)
  })

  test('is unknown where a run takes no time', () => {
    expect(speedUp({ seconds: 0 }, { seconds: 1 })).toBeUndefined()
    expect(speedUp({ seconds: 1 }, { seconds: 0 })).toBeUndefined()
  })
})

describe('configuration differences', () => {
  test('equal members are left out', () => {
    expect(
      configurationDifferences([
        { chip: { clockGHz: 1, tiles: { x: 32 } }, dataflow: 'fa2' },
        { chip: { clockGHz: 2, tiles: { x: 32 } }, dataflow: 'fa2' },
      ]),
    ).toEqual([{ path: ['chip', 'clockGHz'], values: [1, 2] }])
  })

  test('a member that only one has is a difference', () => {
    expect(configurationDifferences([{ mapping: {} }, { mapping: { groupX: 8 } }])).toEqual([
      { path: ['mapping', 'groupX'], values: [undefined, 8] },
    ])
  })

  test('there is none between a configuration and itself, or none at all', () => {
    expect(configurationDifferences([{ a: 1 }, { a: 1 }, { a: 1 }])).toEqual([])
    expect(configurationDifferences([])).toEqual([])
  })

  test('keys that contain dots are not mixed up', () => {
    expect(configurationDifferences([{ 'a.b': 1 }, { a: { b: 1 } }])).toHaveLength(2)
  })
})
