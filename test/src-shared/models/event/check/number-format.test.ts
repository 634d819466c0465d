import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  FLOAT16,
  FLOAT64,
  FLOAT8_E4M3,
  roundTo,
  underflowError,
  unitRoundoff,
  type NumberFormat,
} from '#shared/models/event/check/number-format.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

/** All numbers of a format that are not negative, by its bits. */
function valuesOf({ precision, minExponent, largest }: NumberFormat): number[] {
  const fractions = 2 ** (precision - 1)
  const values: number[] = []
  for (let bits = 0; ; bits++) {
    const exponent = Math.floor(bits / fractions)
    const fraction = (bits % fractions) / fractions
    const value =
      exponent === 0
        ? fraction * 2 ** minExponent
        : (1 + fraction) * 2 ** (minExponent + exponent - 1)
    if (value > largest) return values
    values.push(value)
  }
}

describe.each([
  ['FP16', FLOAT16, 31_744],
  ['FP8 E4M3', FLOAT8_E4M3, 127],
])('%s', (_, format, count) => {
  const values = valuesOf(format)

  test('has its numbers, which stay as they are', () => {
    expect(values).toHaveLength(count)
    for (const value of values) {
      expect(roundTo(value, format)).toBe(value)
      expect(roundTo(-value, format)).toBe(-value)
    }
  })

  test('rounds to the nearest number, and the half way to the even one', () => {
    values.slice(1).forEach((above, index) => {
      const below = values[index] ?? NaN
      const middle = (above + below) / 2
      const even = index % 2 === 0 ? below : above
      expect(roundTo(middle, format)).toBe(even)
      expect(roundTo(middle - (above - below) / 1000, format)).toBe(below)
      expect(roundTo(middle + (above - below) / 1000, format)).toBe(above)
    })
  })

  test('is off by no more than its unit roundoff, or its underflow error', () => {
    fc.assert(
      fc.property(fc.double({ min: -400, max: 400, noNaN: true }), value => {
        const error = Math.abs(roundTo(value, format) - value)
        expect(error).toBeLessThanOrEqual(
          Math.max(unitRoundoff(format) * Math.abs(value), underflowError(format)),
        )
      }),
      propertyRuns(2000),
    )
  })
})

describe('the ends of the formats', () => {
  test('FP16 overflows to infinity, E4M3 saturates', () => {
    expect(roundTo(65_519, FLOAT16)).toBe(65_504)
    expect(roundTo(-65_520, FLOAT16)).toBe(-Infinity)
    expect(roundTo(1e9, FLOAT8_E4M3)).toBe(448)
    expect(roundTo(-1e9, FLOAT8_E4M3)).toBe(-448)
  })

  test('double precision, infinities and what is no number pass', () => {
    expect(roundTo(Math.PI, FLOAT64)).toBe(Math.PI)
    expect(roundTo(-Infinity, FLOAT16)).toBe(-Infinity)
    expect(roundTo(NaN, FLOAT8_E4M3)).toBeNaN()
  })
})
