import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chartData } from '#renderer/charts/chart-option.ts'
import { tradeOffOption } from '#renderer/charts/trade-off-option.ts'
import {
  bestWithin,
  measuredPoints,
  sweepCurves,
  sweepFront,
} from '#renderer/features/wafer/trade-off.ts'
import type { PlanPoint } from '#shared/results/plan-result.ts'

const makePoint = (changes: Partial<PlanPoint> = {}): PlanPoint => ({
  ...{ batchPerChip: 256, expertParallel: 32, pipelineParallel: 2, attention: 'flat' },
  ...{ tpotSeconds: 0.036, tokensPerSecondPerChip: 7000, tokensPerSecondPerUser: 27.8 },
  ...{ systemTokensPerSecond: 448_000, sequencesInFlight: 16_384, memoryBytes: 5e10 },
  ...changes,
})

describe('curves', () => {
  const points = [
    makePoint(),
    makePoint({ batchPerChip: 64, tpotSeconds: 0.017 }),
    makePoint({ attention: 'flash', tpotSeconds: 0.09 }),
    makePoint({ pipelineParallel: 1 }),
  ]

  test('are those of the deepest pipeline, in the order of the batch; the rest is one cloud', () => {
    expect(
      sweepCurves(points).map(({ name, kind, choices }) => [
        name,
        kind,
        ...choices.map(({ batchPerChip }) => batchPerChip),
      ]),
    ).toEqual([
      ['EP32-PP2', 'flat', 64, 256],
      ['EP32-PP2', 'flash', 256],
      ['Shorter pipelines', 'other', 256],
    ])
  })

  test('lose no point, and each knows its choice', () => {
    const curves = sweepCurves(points)
    expect(curves.flatMap(({ choices }) => choices)).toHaveLength(points.length)
    for (const { choices, points: drawn } of curves) {
      expect(drawn.map(({ tpotMs }) => tpotMs)).toEqual(
        choices.map(({ tpotSeconds }) => tpotSeconds * 1000),
      )
    }
  })
})

const anyPoint = fc
  .record({
    tpotSeconds: fc.double({ min: 0.001, max: 1, noNaN: true }),
    tokensPerSecondPerChip: fc.double({ min: 1, max: 20_000, noNaN: true }),
  })
  .map(makePoint)

test('on the front more throughput always costs time', () => {
  fc.assert(
    fc.property(fc.array(anyPoint), points => {
      const front = sweepFront(points)
      for (const [index, point] of front.entries()) {
        const before = front[index - 1]
        if (before === undefined) continue
        expect(point.tpotSeconds).toBeGreaterThan(before.tpotSeconds)
        expect(point.tokensPerSecondPerChip).toBeGreaterThan(before.tokensPerSecondPerChip)
      }
    }),
  )
})

test('the best point is within the limit, and no other one there has more throughput', () => {
  fc.assert(
    fc.property(fc.array(anyPoint), fc.integer({ min: 1, max: 1000 }), (points, limitMs) => {
      const within = points.filter(({ tpotSeconds }) => tpotSeconds * 1000 <= limitMs)
      const most = Math.max(...within.map(point => point.tokensPerSecondPerChip))
      expect(bestWithin(points, limitMs)?.tokensPerSecondPerChip).toBe(
        within.length === 0 ? undefined : most,
      )
    }),
  )
})

describe('the chart', () => {
  const option = (changes: Partial<Parameters<typeof tradeOffOption>[0]> = {}) =>
    tradeOffOption({
      curves: sweepCurves([makePoint()]),
      front: [],
      measured: measuredPoints,
      chosen: undefined,
      limitMs: 50,
      isLogTpot: true,
      isLogThroughput: true,
      ...changes,
    })

  test('has curves first, so that a click finds its point, and measured systems', () => {
    const series = chartData(option())
    expect(series[0]).toEqual({ name: 'EP32-PP2', type: 'line', data: [[36, 7000]] })
    expect(series.map(({ name }) => name)).toContain('TPOT limit 50 ms')
    expect(series.find(({ name }) => name === 'Measured')?.data).toHaveLength(2)
  })

  test('has no line without a limit', () => {
    const names = chartData(option({ limitMs: undefined })).map(({ name }) => name)
    expect(names.some(name => name.startsWith('TPOT limit'))).toBe(false)
  })

  test.each([true, false])('logarithmic axes: %j; both have a unit', isLog => {
    const { xAxis, yAxis } = option({ isLogTpot: isLog, isLogThroughput: isLog })
    const type = isLog ? 'log' : 'value'
    expect(xAxis).toMatchObject({ type, name: 'TPOT (ms)' })
    expect(yAxis).toMatchObject({ type, name: 'Throughput per chip (tokens/s)' })
  })
})
