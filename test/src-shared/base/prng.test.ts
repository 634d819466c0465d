import { describe, expect, test } from 'vitest'
import { randomAt } from '#shared/base/prng.ts'

const sample = (seed: number, count: number) =>
  Array.from({ length: count }, (_, index) => randomAt(seed, index))

describe('pseudo-random numbers', () => {
  test('are the same for the same seed, and others for another', () => {
    expect(sample(7, 100)).toEqual(sample(7, 100))
    expect(sample(7, 100)).not.toEqual(sample(8, 100))
  })

  test('are spread evenly over [0, 1)', () => {
    const values = sample(3, 100_000)
    for (let tenth = 0; tenth < 10; tenth++) {
      const count = values.filter(value => Math.floor(value * 10) === tenth).length
      // Ten times the standard deviation of a count of 10,000.
      expect(Math.abs(count - 10_000)).toBeLessThan(950)
    }
  })

  test('do not follow from their neighbours', () => {
    const values = sample(5, 100_000).map(value => value - 0.5)
    const product = values
      .slice(1)
      .reduce((sum, value, index) => sum + value * (values[index] ?? 0), 0)
    // Variance 1/12: uncorrelated products average to 0 within 1/(12·√n).
    expect(Math.abs(product / values.length)).toBeLessThan(5 / (12 * Math.sqrt(100_000)))
  })
})
