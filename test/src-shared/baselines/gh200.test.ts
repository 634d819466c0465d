import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  gh200Baseline,
  gh200Origin,
  gh200Shape,
  interpolatedTflops,
} from '#shared/baselines/gh200.ts'
import { gh200Peaks, gh200Series } from '#shared/baselines/gh200-series.ts'
import { compulsoryBytes, usefulFlops, type AttentionWorkload } from '#shared/workload/attention.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

const square = (length: number, changes: Partial<AttentionWorkload> = {}) =>
  makeWorkload({ queryLength: length, kvLength: length, ...changes })

const decode = (kvLength: number, changes: Partial<AttentionWorkload> = {}) =>
  makeWorkload({
    phase: 'decode',
    queryLength: 1,
    kvLength,
    batch: 128,
    heads: 32,
    kvHeads: 32,
    ...changes,
  })
const gqa = { variant: 'gqa', kvHeads: 2 } as const
const mla = { variant: 'mla', heads: 128, kvHeads: 1 } as const

describe('measured points', () => {
  test.each([
    [square(512, { headDim: 64 }), 333],
    [square(4096), 638],
    [decode(512), 2.22],
    [decode(2048, { speculativeLength: 4 }), 11.38],
    [decode(4096, { ...gqa, speculativeLength: 4 }), 162.39],
    [decode(128, { ...mla, speculativeLength: 2 }), 156],
    [decode(4096, { ...mla, speculativeLength: 4 }), 506],
  ])('%o has %d TFLOPS', (workload, tflops) => {
    const baseline = gh200Baseline(workload)
    expect(baseline).toMatchObject({ kind: 'measured', tflops, length: workload.kvLength })
    expect(gh200Origin(baseline)).toBe('measured')
  })

  test('of prefill do not depend on batch and heads', () => {
    expect(gh200Baseline(square(4096, { batch: 2, heads: 32, kvHeads: 32 }))).toEqual(
      gh200Baseline(square(4096)),
    )
  })

  test('are never above the peak, and each length stands once, in order', () => {
    for (const { points } of gh200Series) {
      expect(Math.max(...points.map(({ tflops }) => tflops))).toBeLessThan(gh200Peaks.tflops)
      const lengths = points.map(({ length }) => length)
      expect(lengths).toEqual([...new Set(lengths)].toSorted((a, b) => a - b))
    }
  })

  // With other heads or KV heads than those of the scripts some points would need more.
  test('of decode need less than the HBM bandwidth for Q, K, V and O alone', () => {
    const shares = gh200Series
      .filter(({ kernel }) => kernel === 'FlashAttention decode')
      .flatMap(({ kind, points }) =>
        points.map(({ length, tflops }) => {
          const workload = { ...decode(length), ...kind }
          const seconds = usefulFlops(workload) / (tflops * 1e12)
          return compulsoryBytes(workload) / seconds / (gh200Peaks.hbmTBps * 1e12)
        }),
      )
    expect(Math.max(...shares)).toBeLessThan(0.8)
    expect(Math.min(...shares)).toBeGreaterThan(0.25)
  })

  test('are all there: 12 of prefill, 23 of decode, 12 of MLA', () => {
    const count = (kernel: string) =>
      gh200Series
        .filter(series => series.kernel === kernel)
        .reduce((sum, { points }) => sum + points.length, 0)
    expect(['FlashAttention-3', 'FlashAttention decode', 'FlashMLA'].map(count)).toEqual([
      12, 23, 12,
    ])
  })

  test('name their sources', () => {
    expect(gh200Series.every(({ source }) => source.includes('gvsoc'))).toBe(true)
  })
})

describe('between two measured points', () => {
  test('the value is marked as interpolated, with its neighbours', () => {
    const baseline = gh200Baseline(decode(3072, gqa))
    expect(baseline).toMatchObject({
      kind: 'interpolated',
      length: 3072,
      between: [
        { length: 2048, tflops: 33.28 },
        { length: 4096, tflops: 41.16 },
      ],
    })
    expect(gh200Origin(baseline)).toBe('interpolated between KV 2,048 and 4,096')
    expect(baseline.kind !== 'none' && gh200Shape(baseline)).toBe('GQA D 128 KV 3,072')
  })

  test('the time of a decode step is linear in the KV length', () => {
    const seconds = (length: number, tflops: number) => length / tflops
    const below = { length: 1024, tflops: 2.46 }
    const above = { length: 2048, tflops: 2.85 }
    expect(seconds(1536, interpolatedTflops(1536, below, above))).toBeCloseTo(
      (seconds(1024, 2.46) + seconds(2048, 2.85)) / 2,
      9,
    )
  })

  test('the value lies between its neighbours and meets them at the ends', () => {
    const point = fc.record({
      length: fc.integer({ min: 1, max: 100_000 }),
      tflops: fc.double({ min: 1, max: 900, noNaN: true }),
    })
    fc.assert(
      fc.property(point, point, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, share) => {
        fc.pre(a.length < b.length)
        const length = a.length + share * (b.length - a.length)
        const value = interpolatedTflops(length, a, b)
        const slack = 1e-9 * (a.tflops + b.tflops)
        expect(value).toBeGreaterThanOrEqual(Math.min(a.tflops, b.tflops) - slack)
        expect(value).toBeLessThanOrEqual(Math.max(a.tflops, b.tflops) + slack)
        expect(interpolatedTflops(a.length, a, b)).toBeCloseTo(a.tflops, 6)
        expect(interpolatedTflops(b.length, a, b)).toBeCloseTo(b.tflops, 6)
      }),
      propertyRuns(300),
    )
  })

  // Twice as far as the app ever interpolates: the neighbours are a factor of 4 apart.
  test('each inner point is met within 7 % by its neighbours, and within 3 % on average', () => {
    const errors = gh200Series.flatMap(({ points }) =>
      points.slice(1, -1).map((point, index) => {
        const [below, above] = [points[index], points[index + 2]]
        if (below === undefined || above === undefined) return Number.NaN
        return Math.abs(interpolatedTflops(point.length, below, above) / point.tflops - 1)
      }),
    )
    expect(errors).toHaveLength(27)
    expect(Math.max(...errors)).toBeLessThan(0.07)
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(0.03)
  })
})

describe('nothing is extrapolated', () => {
  test.each([
    [square(256), 'outside the measured range, S 512 to 16,384'],
    [square(32_768), 'outside the measured range, S 512 to 16,384'],
    [decode(511), 'outside the measured range, KV 512 to 4,096'],
    [decode(4096, { speculativeLength: 4 }), 'outside the measured range, KV 512 to 2,048'],
    [decode(8192, { ...mla, speculativeLength: 2 }), 'outside the measured range, KV 128 to 4,096'],
  ])('%o has no value, but the range that is covered', (workload, origin) => {
    const baseline = gh200Baseline(workload)
    expect(baseline.kind).toBe('none')
    expect(gh200Origin(baseline)).toBe(origin)
  })

  test.each<[string, AttentionWorkload]>([
    ['another head dimension', square(4096, { headDim: 80 })],
    ['a prefill that is not square', makeWorkload({ queryLength: 1024 })],
    ['a causal mask', square(4096, { causal: true })],
    ['FP8', square(4096, { dtype: 'fp8' })],
    ['MQA in prefill', square(4096, { variant: 'mqa', heads: 8 })],
    ['another batch in decode', decode(512, { batch: 1 })],
    ['other KV heads in decode', decode(512, { ...gqa, kvHeads: 4 })],
    ['a speculative length that was not measured', decode(512, { speculativeLength: 3 })],
    ['MLA without speculation', decode(512, mla)],
  ])('%s was not measured', (_, workload) => {
    const baseline = gh200Baseline(workload)
    expect(baseline).toEqual({ kind: 'none', series: undefined })
    expect(gh200Origin(baseline)).toBe('nothing of this kind was measured')
  })

  test('every value lies at or between measured ones', () => {
    const lengths = fc.integer({ min: 1, max: 40_000 })
    fc.assert(
      fc.property(fc.constantFrom(64, 128), lengths, (headDim, length) => {
        const baseline = gh200Baseline(square(length, { headDim }))
        const isCovered = length >= 512 && length <= 16_384
        expect(baseline.kind !== 'none').toBe(isCovered)
        if (baseline.kind === 'none') return
        const measured = baseline.series.points.map(({ tflops }) => tflops)
        expect(baseline.tflops).toBeGreaterThanOrEqual(Math.min(...measured))
        expect(baseline.tflops).toBeLessThanOrEqual(Math.max(...measured))
      }),
      propertyRuns(300),
    )
  })
})
