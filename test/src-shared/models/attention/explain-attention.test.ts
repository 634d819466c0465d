import { describe, expect, test } from 'vitest'
import { dataflowsOf } from '#shared/mapping/dataflow.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import { breakdownComponents } from '#shared/results/attention-result.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { evaluateFormula } from '#test/support/evaluate-formula.ts'
import { makeAttentionInput } from '#test/support/make-attention-input.ts'
import { makeNewDesign } from '#test/support/make-chip.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

const layer = makeWorkload({ batch: 2, heads: 32, kvHeads: 32 })

const latent = makeWorkload({
  variant: 'mla',
  phase: 'decode',
  batch: 64,
  heads: 128,
  kvHeads: 1,
  queryLength: 1,
  kvLength: 8192,
  dtype: 'fp8',
})

const explain = (changes: Partial<Omit<AttentionInput, 'kind' | 'engine'>>) => {
  const { result, explanation } = estimateAttention(makeAttentionInput(changes))
  const of = (field: string): Explanation => {
    const found = explanation.find(candidate => candidate.field === field)
    if (found === undefined) throw new Error(`no explanation of ${field}`)
    return found
  }
  /** The value of a term of the formula of a field. */
  const term = (field: string, symbol: string): number => {
    const found = of(field).terms.find(candidate => candidate.symbol === symbol)
    if (found === undefined) throw new Error(`no term ${symbol} in the explanation of ${field}`)
    return found.value
  }
  return { result, explanation, of, term }
}

const kernels = [layer, latent].flatMap(workload =>
  dataflowsOf(workload).map(dataflow => ({ workload, dataflow, variant: workload.variant })),
)

describe.each(kernels)('explanation of $variant with $dataflow', ({ workload, dataflow }) => {
  const { result, explanation, of, term } = explain({ dataflow, workload })

  test('has every number of the result and every part of the breakdown, once', () => {
    // Peaks come from the chip, not from the model.
    const numbers = Object.entries(result)
      .filter(([field, value]) => typeof value === 'number' && !field.startsWith('peak'))
      .map(([field]) => field)
    const parts = breakdownComponents.map(component => `breakdown.${component}`)
    const mapping = Object.entries(result.mapping)
      .filter(([, value]) => typeof value === 'number')
      .map(([field]) => `mapping.${field}`)
    expect(explanation.map(({ field }) => field).toSorted()).toEqual(
      [...numbers, ...parts, ...mapping, 'bound'].toSorted(),
    )
  })

  test('uses each symbol of a formula for one term', () => {
    for (const { terms } of explanation) {
      expect(new Set(terms.map(({ symbol }) => symbol)).size).toBe(terms.length)
    }
  })

  test('names a unit and a source for every number', () => {
    const nameless = explanation
      .flatMap(entry => [entry, ...entry.terms])
      .filter(({ unit, source }) => unit === '' || source === '')
    expect(nameless).toEqual([])
  })

  test('says the parts of the breakdown in seconds and in cycles', () => {
    for (const component of breakdownComponents) {
      const field = `breakdown.${component}`
      expect(of(field).value).toBeCloseTo(term(field, 'T') / term('seconds', 'f'), 15)
    }
  })
})

const shapes = {
  'square prefill': makeWorkload({ batch: 2, heads: 32, kvHeads: 32 }),
  'ragged prefill': makeWorkload({ heads: 5, kvHeads: 5, queryLength: 1000, kvLength: 3001 }),
  'causal prefill': makeWorkload({ heads: 32, kvHeads: 32, causal: true }),
  'causal prefill with few keys': makeWorkload({ queryLength: 512, kvLength: 100, causal: true }),
  'grouped decode': makeWorkload({
    variant: 'gqa',
    phase: 'decode',
    batch: 16,
    heads: 32,
    kvHeads: 8,
    queryLength: 1,
    kvLength: 8192,
    speculativeLength: 4,
    causal: true,
  }),
  'attention to nothing': makeWorkload({ kvLength: 0 }),
  'decode of MLA': latent,
  'ragged, causal decode of MLA': {
    ...latent,
    batch: 5,
    heads: 24,
    kvLength: 777,
    speculativeLength: 3,
    causal: true,
    latentDim: 300,
  },
  'prefill of MLA': makeWorkload({ variant: 'mla', heads: 16, kvHeads: 1, causal: true }),
  'decode of MLA without keys': { ...latent, kvLength: 0 },
}
const chips = {
  'a new design': makeNewDesign(),
  'an odd mesh': { ...makeNewDesign(), tiles: { x: 7, y: 5 } },
  'one tile': { ...makeNewDesign(), tiles: { x: 1, y: 1 } },
  'a chip with narrow links': { ...makeNewDesign(), noc: { linkBits: 64, hopCycles: 1 } },
}

describe.each(Object.keys(chips) as (keyof typeof chips)[])('on %s', chipName => {
  const cases = (Object.keys(shapes) as (keyof typeof shapes)[]).flatMap(shapeName =>
    dataflowsOf(shapes[shapeName]).map(dataflow => [shapeName, dataflow] as const),
  )
  test.each(cases)('%s with %s: every formula comes to its number', (shapeName, dataflow) => {
    const { explanation } = explain({
      dataflow,
      workload: shapes[shapeName],
      chip: chips[chipName],
    })
    const wrong = explanation.flatMap(entry =>
      evaluateFormula(entry).flatMap(({ symbol, value }) => {
        const said =
          entry.terms.find(candidate => candidate.symbol === symbol)?.value ?? entry.value
        const isClose = Math.abs(value - said) <= 1e-9 * Math.max(Math.abs(said), 1e-15)
        return isClose
          ? []
          : [`${entry.field}: ${entry.formula}: ${symbol} is ${String(said)}, not ${String(value)}`]
      }),
    )
    expect(wrong).toEqual([])
  })
})

test('explanation of useful FLOPs counts the pairs that a causal mask leaves', () => {
  const workload = makeWorkload({ queryLength: 4, kvLength: 8, causal: true })
  const { of, term } = explain({ workload, chip: makeNewDesign() })
  expect(of('usefulFlops').formula).toContain('q · k − q · (q − 1) / 2')
  expect(term('usefulFlops', 'pairs')).toBe(26)
})
