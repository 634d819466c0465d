import { describe, expect, test } from 'vitest'
import { dataflows } from '#shared/mapping/dataflow.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import { breakdownComponents } from '#shared/results/attention-result.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { makeAttentionInput } from '#test/support/make-attention-input.ts'
import { makeNewDesign } from '#test/support/make-chip.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

const layer = makeWorkload({ batch: 2, heads: 32, kvHeads: 32 })

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

describe.each(dataflows)('explanation of %s', dataflow => {
  const { result, explanation, of, term } = explain({ dataflow, workload: layer })

  test('has every number of the result and every part of the breakdown, once', () => {
    // Peaks come from the chip, not from the model.
    const numbers = Object.entries(result)
      .filter(([field, value]) => typeof value === 'number' && !field.startsWith('peak'))
      .map(([field]) => field)
    const parts = breakdownComponents.map(component => `breakdown.${component}`)
    expect(explanation.map(({ field }) => field).toSorted()).toEqual(
      [...numbers, ...parts].toSorted(),
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

  test('comes to the runtime with the values filled in', () => {
    expect(term('seconds', 'T') / term('seconds', 'f')).toBe(result.seconds)
  })

  test('comes to the matrix utilisation', () => {
    const value = (symbol: string) => term('matrixUtilization', symbol)
    expect(value('F') / (value('P') * value('T'))).toBeCloseTo(result.matrixUtilization, 12)
  })

  test('comes to the utilisation while active', () => {
    const value = (symbol: string) => term('matrixActiveUtilization', symbol)
    const ideal = (value('Br') * value('Bc') * value('d')) / (value('H') * value('W'))
    const used = (2 * ideal) / (value('T_QK') + value('T_PV'))
    expect(used).toBeCloseTo(result.matrixActiveUtilization, 12)
  })

  test('comes to the bandwidth utilisation and the intensity', () => {
    const bandwidth = (symbol: string) => term('hbmBandwidthUtilization', symbol)
    expect(bandwidth('bytes') / (bandwidth('B') * bandwidth('t'))).toBeCloseTo(
      result.hbmBandwidthUtilization,
      12,
    )
    const intensity = (symbol: string) => term('arithmeticIntensity', symbol)
    expect(intensity('F') / intensity('bytes')).toBe(result.arithmeticIntensity)
  })

  test('comes to the FLOPs', () => {
    const useful = (symbol: string) => term('usefulFlops', symbol)
    expect(4 * useful('d') * useful('pairs') * useful('heads') * useful('batch')).toBe(
      result.usefulFlops,
    )
    const executed = (symbol: string) => term('executedFlops', symbol)
    expect(4 * executed('d') * executed('Gy · Br') * executed('Gx · Bc') * executed('blocks')).toBe(
      result.executedFlops,
    )
  })

  test('comes to the HBM traffic', () => {
    const read = (symbol: string) => term('hbmReadBytes', symbol)
    const queries = read('e') * read('jobs') * read('q') * read('d')
    expect(queries + 2 * read('e') * read('d') * read('columns')).toBe(result.hbmReadBytes)
    const written = (symbol: string) => term('hbmWriteBytes', symbol)
    expect(written('e') * written('jobs') * written('q') * written('d')).toBe(result.hbmWriteBytes)
  })

  test('comes to the L1 occupancy', () => {
    const value = (symbol: string) => term('l1PeakBytes', symbol)
    const [rows, columns, headDim] = [value('Br'), value('Bc'), value('d')]
    const elements = 2 * rows * headDim + 2 * columns * headDim + rows * columns + 5 * rows
    expect(value('sets') * value('e') * elements).toBe(result.l1PeakBytes)
  })

  test('comes to the matrix time', () => {
    const value = (symbol: string) => term('breakdown.matrix', symbol)
    expect(value('n') * (value('T_QK') + value('T_PV'))).toBeCloseTo(value('T'), 6)
  })

  test('says the parts of the breakdown in seconds and in cycles', () => {
    for (const component of breakdownComponents) {
      const field = `breakdown.${component}`
      expect(of(field).value).toBeCloseTo(term(field, 'T') / term('seconds', 'f'), 15)
    }
  })
})

describe('explanation of the runtime', () => {
  test('of groups that contend mixes lock-step and drift', () => {
    const { result, term } = explain({ dataflow: 'fa3', workload: layer })
    const share = term('cycles', 'w')
    const mixed = share * term('cycles', 'T_lock') + (1 - share) * term('cycles', 'T_drift')
    expect(mixed).toBeCloseTo(result.cycles, 6)
  })

  test('of a single group adds up the breakdown', () => {
    const { result, of } = explain({ workload: layer, mapping: { groupX: 32, groupY: 32 } })
    const sum = of('cycles').terms.reduce((total, { value }) => total + value, 0)
    expect(sum).toBeCloseTo(result.cycles, 6)
  })
})

test.each(['fa2', 'flat-sc', 'flat-tc', 'flat-hc'] as const)(
  'explanation of the vector time of %s, where nothing overlaps, comes to it',
  dataflow => {
    const { term } = explain({ dataflow, workload: layer })
    const value = (symbol: string) => term('breakdown.vector', symbol)
    const inner = value('n') * (value('rowMax') + value('exp') + value('rowSum'))
    const rescaled = (value('n') - value('m')) * (value('rescale') + 2 * value('update'))
    expect(inner + rescaled + value('m') * value('divide')).toBeCloseTo(value('T'), 6)
  },
)

test('explanation of useful FLOPs counts the pairs that a causal mask leaves', () => {
  const workload = makeWorkload({ queryLength: 4, kvLength: 8, causal: true })
  const { of, term } = explain({ workload, chip: makeNewDesign() })
  expect(of('usefulFlops').formula).toContain('q(q−1)/2')
  expect(term('usefulFlops', 'pairs')).toBe(26)
})
