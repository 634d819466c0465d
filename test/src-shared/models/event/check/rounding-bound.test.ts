import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arithmetics } from '#shared/models/event/check/arithmetic.ts'
import {
  checkBound,
  roundingBound,
  type RoundingShape,
} from '#shared/models/event/check/rounding-bound.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const shape = (changes: Partial<RoundingShape> = {}): RoundingShape => ({
  headDim: 64,
  kvLength: 512,
  columnBlocks: 4,
  groupX: 2,
  largestScore: 4,
  ...changes,
})

const arbitraryShape = fc.record({
  headDim: fc.integer({ min: 1, max: 512 }),
  kvLength: fc.integer({ min: 1, max: 4096 }),
  columnBlocks: fc.integer({ min: 1, max: 64 }),
  groupX: fc.integer({ min: 1, max: 32 }),
  largestScore: fc.double({ min: 0, max: 40, noNaN: true }),
})

describe('the bound on rounding errors', () => {
  test('is the formula', () => {
    const u = 2 ** -11
    const a = 2 ** -25
    const relative = u * (5 + 4 * u) * 4 + a / 8 + u / (1 - u) + (u / (1 - u)) * 15
    const underflow = 512 * a + a * (4 * 512 + 8 + 2)
    const expected =
      (Math.exp(relative) + underflow) / (Math.exp(-relative) - underflow) - 1 + 2 * u + a
    expect(roundingBound(shape(), arithmetics.fp16).bound).toBeCloseTo(expected, 14)
  })

  test.each(['kvLength', 'columnBlocks', 'groupX', 'largestScore'] as const)(
    'grows with %s, or stays',
    field => {
      fc.assert(
        fc.property(arbitraryShape, fc.constantFrom('fp16', 'fp8'), (small, precision) => {
          const large = { ...small, [field]: 2 * small[field] }
          expect(roundingBound(large, arithmetics[precision]).bound).toBeGreaterThanOrEqual(
            roundingBound(small, arithmetics[precision]).bound,
          )
        }),
        propertyRuns(300),
      )
    },
  )

  test('is never more than two means of values can differ by', () => {
    const hopeless = shape({ largestScore: 2000, kvLength: 65_000, columnBlocks: 1000 })
    expect(roundingBound(hopeless, arithmetics.fp16).bound).toBe(2)
  })

  test('is wider for FP8, and that asked for in double precision', () => {
    const { bound: fp16 } = checkBound(shape(), 'fp16')
    const { bound: fp8 } = checkBound(shape(), 'fp8')
    expect(fp8).toBeGreaterThan(fp16)
    expect(checkBound(shape(), 'fp64')).toEqual({ bound: 1e-9, on: 'largestRelative' })
    expect(roundingBound(shape(), arithmetics.fp64).bound).toBeLessThan(1e-12)
  })
})
