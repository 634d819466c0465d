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
