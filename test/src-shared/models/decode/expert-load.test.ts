import { describe, expect, test } from 'vitest'
import { expertLoad } from '#shared/models/decode/expert-load.ts'

const deepSeek = { experts: 256, topK: 8, redundantExperts: 0 }
const balanced = { pattern: 'balanced' } as const

describe('balanced routing', () => {
  test.each([
    [32, 512, { rows: 512, experts: 8 }, 256],
    [64, 512, { rows: 1024, experts: 4 }, 256],
    [1, 512, { rows: 16, experts: 256 }, 256],
    [1, 4, { rows: 1, experts: 32 }, 32],
    [4, 4, { rows: 1, experts: 32 }, 128],
  ])('over %i chips with %i tokens each', (chips, tokensPerChip, first, activeExperts) => {
    const load = expertLoad({ ...deepSeek, routing: balanced, chips, tokensPerChip })
    expect(load.members).toHaveLength(chips)
    expect(load.members[0]).toEqual([first])
    expect(load.activeExperts).toBe(activeExperts)
  })
})

describe.each([
  ['uniform', { pattern: 'uniform', seed: 1 } as const, 0],
  ['zipf', { pattern: 'zipf', seed: 1, exponent: 1 } as const, 0],
  ['zipf with copies', { pattern: 'zipf', seed: 1, exponent: 1 } as const, 64],
])('%s routing', (_, routing, redundantExperts) => {
  const load = expertLoad({ ...deepSeek, redundantExperts, routing, chips: 8, tokensPerChip: 64 })
  const rowsOf = (member: (typeof load.members)[number]) =>
    member.reduce((sum, { rows, experts }) => sum + rows * experts, 0)

  test('computes every row once', () => {
    expect(load.members.reduce((sum, member) => sum + rowsOf(member), 0)).toBe(8 * 64 * 8)
  })

  test('no chip has more experts than have room', () => {
    const most = Math.max(
      ...load.members.map(member => member.reduce((sum, { experts }) => sum + experts, 0)),
    )
    expect(most).toBeLessThanOrEqual((256 + redundantExperts) / 8)
  })
})

test('copies of busy experts even out a skewed load', () => {
  const routing = { pattern: 'zipf', seed: 1, exponent: 1 } as const
  const busiest = (redundantExperts: number) =>
    Math.max(
      ...expertLoad({
        ...{ ...deepSeek, redundantExperts, routing, chips: 8, tokensPerChip: 64 },
      }).members.map(member => member.reduce((sum, one) => sum + one.rows * one.experts, 0)),
    )
  expect(busiest(64)).toBeLessThan(busiest(0))
})

test.each([
  [1, 4],
  [8, 32],
  [64, 115],
])(
  '%i tokens to 4 of 128 experts each reach about the %i that a recorded run used',
  (tokens, used) => {
    const counts = Array.from({ length: 20 }, (_, seed) => {
      const routing = { pattern: 'uniform', seed } as const
      const choice = { experts: 128, topK: 4, redundantExperts: 0 }
      return expertLoad({ ...choice, routing, chips: 1, tokensPerChip: tokens }).activeExperts
    })
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
    expect(Math.abs(mean / used - 1)).toBeLessThan(0.12)
    // By chance: each expert is left out by a token with 1 − 4 / 128.
    expect(Math.abs(mean / (128 * (1 - (1 - 4 / 128) ** tokens)) - 1)).toBeLessThan(0.03)
  },
)
