import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '#shared/models/wafer/seeded-random.ts'
import {
  expectedChipsPerToken,
  expertTokens,
  routeTokens,
  type TokenRouting,
} from '#shared/models/wafer/token-routing.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const choice = { experts: 256, topK: 8 }
const uniform = { pattern: 'uniform', seed: 1 } as const

test('balanced routing takes eight experts after the other', () => {
  const { chosen } = routeTokens({ pattern: 'balanced' }, choice, 33)
  expect([...chosen.slice(8, 16)]).toEqual([8, 9, 10, 11, 12, 13, 14, 15])
  expect([...chosen.slice(256)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

test('balanced routing gives all experts the same', () => {
  const counts = expertTokens(routeTokens({ pattern: 'balanced' }, choice, 512))
  expect(new Set(counts)).toEqual(new Set([16]))
})

test('the experts of a token differ, whatever the pattern, and the same seed chooses the same', () => {
  const routing = fc.oneof(
    fc.constant<TokenRouting>({ pattern: 'balanced' }),
    fc.record({ pattern: fc.constant('uniform' as const), seed: fc.nat() }),
    fc.record({
      pattern: fc.constant('zipf' as const),
      seed: fc.nat(),
      exponent: fc.double({ min: 0, max: 2, noNaN: true }),
    }),
  )
  fc.assert(
    fc.property(
      routing,
      fc.integer({ min: 8, max: 64 }),
      fc.integer({ min: 1, max: 8 }),
      (how, experts, topK) => {
        const routed = routeTokens(how, { experts, topK }, 20)
        for (let token = 0; token < 20; token++) {
          const own = routed.chosen.slice(token * topK, (token + 1) * topK)
          expect(new Set(own).size).toBe(topK)
          expect(own.every(expert => expert >= 0 && expert < experts)).toBe(true)
        }
        expect(routeTokens(how, { experts, topK }, 20)).toEqual(routed)
      },
    ),
    propertyRuns(100),
  )
})

describe('chance', () => {
  test('uniform routing differs from seed to seed, and is even on average', () => {
    const first = routeTokens(uniform, choice, 4096)
    expect(routeTokens({ ...uniform, seed: 2 }, choice, 4096).chosen).not.toEqual(first.chosen)
    const counts = expertTokens(first)
    // 128 on average; the deviation of a binomial is 11.
    expect(Math.max(...counts)).toBeLessThan(128 + 5 * 11.2)
    expect(Math.min(...counts)).toBeGreaterThan(128 - 5 * 11.2)
  })

  test('zipf prefers the first experts, and with the exponent 0 none', () => {
    const zipf = (exponent: number) =>
      expertTokens(
        routeTokens({ pattern: 'zipf', seed: 1, exponent }, { experts: 256, topK: 1 }, 100_000),
      )
    const [first = 0, second = 0] = zipf(1)
    expect(first / second).toBeCloseTo(2, 1)
    expect(Math.max(...zipf(0))).toBeLessThan(500)
  })

  test('the generator fills 0 to 1 evenly', () => {
    const random = seededRandom(7)
    const numbers = Array.from({ length: 10_000 }, random)
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...numbers)).toBeLessThan(1)
    expect(numbers.reduce((sum, value) => sum + value, 0) / numbers.length).toBeCloseTo(0.5, 1)
  })
})

describe('chips that a token visits', () => {
  test('are 7.676 of 64 on average for 8 of 256 experts', () => {
    expect(expectedChipsPerToken(choice, 64)).toBeCloseTo(7.676, 3)
  })

  test('is what uniform routing does', () => {
    const { chosen } = routeTokens(uniform, choice, 20_000)
    let visits = 0
    for (let token = 0; token < 20_000; token++) {
      visits += new Set(chosen.slice(8 * token, 8 * token + 8).map(expert => expert % 64)).size
    }
    expect(visits / 20_000).toBeCloseTo(expectedChipsPerToken(choice, 64), 1)
  })

  test('is one where one chip has all experts', () => {
    expect(expectedChipsPerToken(choice, 1)).toBe(1)
  })
})
