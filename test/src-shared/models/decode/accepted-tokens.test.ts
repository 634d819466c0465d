import { expect, test } from 'vitest'
import { acceptanceText, acceptedTokens } from '#shared/models/decode/accepted-tokens.ts'

test.each([
  [1, 0.7, 1],
  [2, 0.7, 1.7],
  [2, 0.85, 1.85],
  [3, 0.8, 2.44],
  [4, 1, 4],
  [4, 0, 1],
])('%i tokens with an acceptance of %f yield %f', (length, acceptance, tokens) => {
  expect(acceptedTokens(length, acceptance)).toBeCloseTo(tokens, 12)
})

test.each([
  [2, [0.85], 1.85],
  [3, [0.8, 0.8], 2.44],
  [3, [0.9, 0.5], 1 + 0.9 + 0.45],
  [4, [1, 0, 1], 2],
])('%i tokens with a chance for each draft, %j, yield %f', (length, acceptance, tokens) => {
  expect(acceptedTokens(length, acceptance)).toBeCloseTo(tokens, 12)
})

test('chances are written with commas between them', () => {
  expect(acceptanceText(0.7)).toBe('0.7')
  expect(acceptanceText([0.9, 0.5])).toBe('0.9, 0.5')
})

test('a step of 20 ms with one draft at 0.85 is 10.811 ms per token', () => {
  expect(20 / acceptedTokens(2, 0.85)).toBeCloseTo(10.811, 3)
})
