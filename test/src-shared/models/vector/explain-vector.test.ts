import { describe, expect, test } from 'vitest'
import { vectorKernels, vectorTimings } from '#shared/schema/vector-input.ts'
import { estimateVector } from '#shared/simulate/run-vector.ts'
import { evaluateFormula } from '#test/support/evaluate-formula.ts'
import { makeVectorInput } from '#test/support/make-vector-input.ts'

const cases = vectorKernels.flatMap(kernel => vectorTimings.map(timing => ({ kernel, timing })))

describe.each(cases)('explanation of $kernel, $timing', ({ kernel, timing }) => {
  const { result, explanation } = estimateVector(
    makeVectorInput({ timing, workload: { kernel, tokens: 3000 } }),
  )

  test('has every number of the result and every part of the breakdown, once', () => {
    const numbers = Object.entries(result)
      .filter(([field, value]) => typeof value === 'number' && !field.startsWith('peak'))
      .map(([field]) => field)
    const parts = result.breakdown.map(({ component }) => `breakdown.${component}`)
    const mapping = Object.keys(result.mapping).map(field => `mapping.${field}`)
    expect(explanation.map(({ field }) => field).toSorted()).toEqual(
      [...numbers, ...parts, ...mapping, 'bound'].toSorted(),
    )
  })

  test('gives the value of the result when its formula is computed', () => {
    const computed = explanation
      .map(entry => ({ entry, statement: evaluateFormula(entry).at(-1) }))
      .filter(({ statement }) => statement !== undefined)
    expect(computed.length).toBeGreaterThan(13)
    const wrong = computed.filter(
      ({ entry, statement }) =>
        Math.abs((statement?.value ?? Infinity) - entry.value) > entry.value * 1e-9,
    )
    expect(wrong).toEqual([])
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
