import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  loadBalancedPlacement,
  roundRobinPlacement,
} from '#shared/models/wafer/expert-placement.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

test('expert 33 of a group of 32 is on member 1', () => {
  expect(roundRobinPlacement(256, 32).copies[33]).toEqual([1])
})

test('the busiest experts get the further copies', () => {
  const { copies } = loadBalancedPlacement([100, 10, 40, 10], 3, 2)
  expect(copies.map(members => members.length)).toEqual([3, 1, 1, 1])
  expect(loadBalancedPlacement([100, 10, 60, 10], 4, 2).copies.map(({ length }) => length)).toEqual(
    [2, 1, 2, 1],
  )
})

test('each expert is somewhere, no member has one twice, and none is over its room', () => {
  const tokens = fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 64 })
  fc.assert(
    fc.property(
      tokens,
      fc.integer({ min: 1, max: 16 }),
      fc.nat({ max: 64 }),
      (loads, members, wanted) => {
        const redundant = Math.min(wanted, loads.length * (members - 1))
        const { copies } = loadBalancedPlacement(loads, members, redundant)
        expect(copies.flat()).toHaveLength(loads.length + redundant)
        for (const places of copies) {
          expect(places.length).toBeGreaterThan(0)
          expect(new Set(places).size).toBe(places.length)
        }
      },
    ),
    propertyRuns(200),
  )
})

test('with room for all, the busiest member has little more than its share', () => {
  const loads = Array.from({ length: 256 }, (_, rank) => 10_000 / (rank + 1))
  const share = loads.reduce((sum, load) => sum + load, 0) / 32
  const busiest = (redundant: number) => {
    const held = new Float64Array(32)
    for (const [expert, members] of loadBalancedPlacement(loads, 32, redundant).copies.entries()) {
      for (const member of members)
        held[member] = (held[member] ?? 0) + (loads[expert] ?? 0) / members.length
    }
    return Math.max(...held) / share
  }
  expect(busiest(0)).toBeGreaterThan(4)
  expect(busiest(32)).toBeLessThan(1.1)
})
