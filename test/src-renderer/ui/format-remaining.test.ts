import { expect, test } from 'vitest'
import { formatRemaining } from '#renderer/ui/format-remaining.ts'

test.each([
  [0.2, '1 s'],
  [59.4, '59 s'],
  [59.6, '1 min'],
  [150, '3 min'],
  [3600, '1 h'],
  [4800, '1 h 20 min'],
])('%d s is %s', (seconds, text) => {
  expect(formatRemaining(seconds)).toBe(text)
})
