import { describe, expect, test } from 'vitest'
import { estimateGemm } from '#shared/simulate/run-gemm.ts'
import { evaluateFormula } from '#test/support/evaluate-formula.ts'
import { makeGemmInput } from '#test/support/make-gemm-input.ts'

describe.each([
  ['nothing split', {}, 'none'],
  ['the contraction split', { m: 512, n: 2048, k: 7168, dtype: 'fp8' }, 'k'],
  ['the columns split', { m: 512, n: 65536, k: 1536, dtype: 'fp8' }, 'n'],
  ['products shared out', { m: 500, n: 120, k: 512, batch: 128 }, 'batch'],
] as const)('explanation with %s', (_, workload, split) => {
  const whole = split === 'none' ? { m: 4096, n: 8192 } : workload
  const { result, explanation } = estimateGemm(makeGemmInput({ workload: whole }))

  test('is of that split', () => {
    expect(result.mapping.split).toBe(split)
  })

  test('has every number of the result and every part of the breakdown, once', () => {
    const numbers = Object.entries(result)
      .filter(([field, value]) => typeof value === 'number' && !field.startsWith('peak'))
      .map(([field]) => field)
    const parts = result.breakdown.map(({ component }) => `breakdown.${component}`)
    const mapping = Object.entries(result.mapping)
      .filter(([, value]) => typeof value === 'number')
      .map(([field]) => `mapping.${field}`)
    expect(explanation.map(({ field }) => field).toSorted()).toEqual(
      [...numbers, ...parts, ...mapping, 'bound'].toSorted(),
    )
  })

  test('gives the value of the result when its formula is computed', () => {
    const computed = explanation
      .map(entry => ({ entry, statement: evaluateFormula(entry).at(-1) }))
      .filter(({ statement }) => statement !== undefined)
    expect(computed.length).toBeGreaterThan(12)
    const wrong = computed.filter(
      ({ entry, statement }) =>
        Math.abs((statement?.value ?? Infinity) - entry.value) > entry.value * 1e-9,
    )
    expect(wrong).toEqual([])
  })

  test('computes each part in cycles from how often its operations are exposed', () => {
    for (const entry of explanation.filter(({ field }) => field.startsWith('breakdown.'))) {
      const [cycles] = evaluateFormula(entry)
      const stated = entry.terms.find(({ symbol }) => symbol === 'T')?.value ?? NaN
      expect(Math.abs((cycles?.value ?? NaN) - stated)).toBeLessThanOrEqual(stated * 1e-9)
    }
  })

  test('names a unit and a source for every number, and each symbol once', () => {
    const nameless = explanation
      .flatMap(entry => [entry, ...entry.terms])
      .filter(({ unit, source }) => unit === '' || source === '')
    expect(nameless).toEqual([])
    for (const { terms } of explanation) {
      expect(new Set(terms.map(({ symbol }) => symbol)).size).toBe(terms.length)
    }
  })
})
