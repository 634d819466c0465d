import { expect, test } from 'vitest'
import { filledFormula } from '#renderer/results/filled-formula.ts'
import type { Explanation } from '#shared/results/explanation.ts'

const explanation = (formula: string, values: Record<string, number>): Explanation => ({
  field: 'seconds',
  label: '',
  value: 1,
  unit: 's',
  formula,
  terms: Object.entries(values).map(([symbol, value]) => ({
    symbol,
    name: '',
    value,
    unit: '1',
    source: '',
  })),
  source: '',
})

test.each([
  ['t = T / f', { T: 100, f: 5 }, 't = 100 / 5'],
  ['T_mm + T', { T: 1, T_mm: 2 }, '2 + 1'],
  ['Br · (Bc + B)', { B: 7, Br: 8, Bc: 9 }, '8 · (9 + 7)'],
  ['ceil(S/x.y)', { 'x.y': 3, S: 4 }, 'ceil(4/3)'],
])('%s', (formula, values, filled) => {
  expect(filledFormula(explanation(formula, values))).toBe(filled)
})

test('there is nothing to fill in without terms', () => {
  expect(filledFormula(explanation('1 + 1', {}))).toBeUndefined()
  expect(filledFormula(explanation('1 + 1', { x: 4 }))).toBeUndefined()
})
