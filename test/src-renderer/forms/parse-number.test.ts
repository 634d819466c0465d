import { expect, test } from 'vitest'
import { parseNumber } from '#renderer/forms/parse-number.ts'

test.each([
  ['384', 384],
  [' 0.965 ', 0.965],
  ['.5', 0.5],
  ['4.', 4],
  ['-1e3', -1000],
  ['+1E-3', 0.001],
  ['1e999', Number.POSITIVE_INFINITY],
])('%j is a number', (text, value) => {
  expect(parseNumber(text)).toBe(value)
})

test.each([
  '0x20',
  '0b1',
  '0o7',
  'Infinity',
  '-Infinity',
  'NaN',
  '1e',
  '1 000',
  '1,5',
  '٣',
  '.',
  '1_000',
])('%j is none', text => {
  expect(parseNumber(text)).toBeNaN()
})

test.each(['', '  \n'])('%j is nothing yet', text => {
  expect(parseNumber(text)).toBeUndefined()
})
