import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closedNetworkCycle, lockStepShare } from '#shared/models/memory/memory-contention.ts'

describe('cycle of a closed network', () => {
  test('of one customer is what it thinks and what it demands', () => {
    expect(closedNetworkCycle(1, 10, [4, 2])).toBe(16)
  })

  test('of two customers at one station: the second finds 4/14 of the first', () => {
    expect(closedNetworkCycle(2, 10, [4])).toBeCloseTo(10 + 4 * (1 + 4 / 14), 12)
  })

  test('of two customers at two stations', () => {
    expect(closedNetworkCycle(2, 10, [4, 2])).toBeCloseTo(
      10 + 4 * (1 + 4 / 16) + 2 * (1 + 2 / 16),
      12,
    )
  })

  test('without thinking at equal stations is demand times (customers + stations − 1)', () => {
    expect(closedNetworkCycle(5, 0, [3, 3, 3])).toBeCloseTo(3 * (5 + 3 - 1), 9)
  })

  test('without demand is the thinking alone', () => {
    expect(closedNetworkCycle(100, 10, [0, 0])).toBe(10)
  })

  test('of nothing is nothing', () => {
    expect(closedNetworkCycle(3, 0, [0])).toBe(0)
  })

  test('comes close to the demand of the busiest station for each of many customers', () => {
    expect(closedNetworkCycle(10_000, 50, [4, 2]) / 10_000).toBeCloseTo(4, 3)
  })

  const time = fc.integer({ min: 0, max: 1_000_000 })
  const demands = fc.array(time, { minLength: 1, maxLength: 3 })
  const customers = fc.integer({ min: 1, max: 200 })

  test('lies between both asymptotes and a queue with all others in it', () => {
    fc.assert(
      fc.property(customers, time, demands, (count, think, visits) => {
        const cycle = closedNetworkCycle(count, think, visits)
        const sum = visits.reduce((total, visit) => total + visit, 0)
        const least = Math.max(think + sum, count * Math.max(...visits))
        expect(cycle).toBeGreaterThanOrEqual(least * (1 - 1e-9))
        expect(cycle).toBeLessThanOrEqual((think + count * sum) * (1 + 1e-9))
      }),
    )
  })

  test('does not fall with another customer', () => {
    fc.assert(
      fc.property(customers, time, demands, (count, think, visits) => {
        const more = closedNetworkCycle(count + 1, think, visits)
        expect(more).toBeGreaterThanOrEqual(closedNetworkCycle(count, think, visits) * (1 - 1e-9))
      }),
    )
  })
})

describe('share of loads in lock-step', () => {
  test('is all of none', () => {
    expect(lockStepShare(0)).toBe(1)
  })

  test('is 1 − 1/e after 32 loads', () => {
    expect(lockStepShare(32)).toBeCloseTo(1 - Math.exp(-1), 12)
  })

  test('of many loads is that of the first 32', () => {
    expect(lockStepShare(32_000)).toBeCloseTo(32 / 32_000, 9)
  })

  test('is the mean of the falling chance over the loads', () => {
    const loads = 200
    const steps = 100_000
    let sum = 0
    for (let step = 0; step < steps; step++) sum += Math.exp((-loads * (step + 0.5)) / steps / 32)
    expect(lockStepShare(loads)).toBeCloseTo(sum / steps, 6)
  })

  test('falls with each load', () => {
    const shares = [1, 2, 8, 64, 512].map(lockStepShare)
    expect(shares).toEqual(shares.toSorted((a, b) => b - a))
  })
})
