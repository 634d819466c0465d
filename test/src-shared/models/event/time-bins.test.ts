import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TimeBins } from '#shared/models/event/time-bins.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const LINES = 3

/** Whole amounts, small enough for sums in single precision to be exact. */
const amounts = fc.array(
  fc.record({
    line: fc.nat({ max: LINES - 1 }),
    time: fc.oneof(fc.nat({ max: 1000 }), fc.nat({ max: 1_000_000 })),
    amount: fc.nat({ max: 1000 }),
  }),
  { maxLength: 200 },
)

describe('TimeBins', () => {
  test('each bin holds what came in its time, however often the bins were merged', () => {
    fc.assert(
      fc.property(amounts, fc.constantFrom(2, 8, 64), (all, bins) => {
        const counter = new TimeBins(LINES, bins, 16)
        for (const { line, time, amount } of all) counter.add(line, time, amount)
        const last = Math.max(0, ...all.map(({ time }) => Math.floor(time / counter.width)))
        expect(last).toBeLessThan(bins)
        for (let line = 0; line < LINES; line++) {
          const expected = Array.from({ length: last + 1 }, (_, bin) =>
            all
              .filter(one => one.line === line && Math.floor(one.time / counter.width) === bin)
              .reduce((sum, { amount }) => sum + amount, 0),
          )
          expect(counter.series(line)).toEqual(expected)
          expect(counter.total(line)).toBe(expected.reduce((sum, amount) => sum + amount, 0))
        }
      }),
      propertyRuns(300),
    )
  })

  test('an interval is spread over the bins that it covers, and nothing is lost', () => {
    const interval = fc
      .tuple(fc.nat({ max: 5000 }), fc.nat({ max: 5000 }), fc.nat({ max: LINES - 1 }))
      .map(([one, other, line]) => ({
        line,
        start: Math.min(one, other) / 4,
        end: Math.max(one, other) / 4,
      }))
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 60 }), all => {
        const counter = new TimeBins(LINES, 8, 16)
        for (const { line, start, end } of all) counter.addInterval(line, start, end)
        const { width } = counter
        for (let line = 0; line < LINES; line++) {
          const own = all.filter(one => one.line === line)
          counter.series(line).forEach((cycles, bin) => {
            const inside = own.map(({ start, end }) =>
              Math.max(0, Math.min(end, (bin + 1) * width) - Math.max(start, bin * width)),
            )
            expect(cycles).toBeCloseTo(
              inside.reduce((sum, one) => sum + one, 0),
              6,
            )
          })
          expect(counter.total(line)).toBeCloseTo(
            own.reduce((sum, { start, end }) => sum + end - start, 0),
            6,
          )
        }
      }),
      propertyRuns(200),
    )
  })

  test('rounded bins of any width add up to the rounded total', () => {
    fc.assert(
      fc.property(amounts, fc.nat({ max: 4 }), (all, doublings) => {
        const counter = new TimeBins(LINES, 8, 16)
        for (const { line, time, amount } of all) counter.add(line, time, amount / 3)
        const width = counter.width * 2 ** doublings
        const count = Math.ceil(counter.end / width)
        for (let line = 0; line < LINES; line++) {
          const values = counter.rounded(line, width, count)
          expect(values).toHaveLength(count)
          expect(values.every(value => Number.isInteger(value) && value >= 0)).toBe(true)
          const sum = values.reduce((total, value) => total + value, 0)
          expect(Math.abs(sum - counter.total(line))).toBeLessThanOrEqual(0.5 + 1e-6)
        }
      }),
      propertyRuns(200),
    )
  })

  test('a line can be made the same as another', () => {
    const counter = new TimeBins(2, 4, 16)
    counter.addInterval(0, 8, 40)
    counter.addInterval(1, 0, 64)
    counter.copyLine(0, 1)
    expect([counter.series(1), counter.total(1)]).toEqual([[8, 16, 8, 0], 32])
  })

  test('the width is the smallest doubling with which all fits', () => {
    const counter = new TimeBins(1, 4, 16)
    counter.add(0, 63, 1)
    expect(counter.width).toBe(16)
    counter.add(0, 64, 1)
    expect(counter.width).toBe(32)
    counter.add(0, 1024, 1)
    expect(counter.width).toBe(512)
    expect(counter.series(0)).toEqual([2, 0, 1])
  })

  test('can be made as wide as another counter without losing anything', () => {
    const counter = new TimeBins(1, 8, 16)
    ;[0, 20, 40, 120].forEach((time, index) => {
      counter.add(0, time, index + 1)
    })
    counter.widenTo(50)
    expect(counter.width).toBe(64)
    expect(counter.series(0)).toEqual([6, 4])
    counter.widenTo(16)
    expect(counter.width).toBe(64)
  })
})
