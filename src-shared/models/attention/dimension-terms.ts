import { term } from '#shared/models/explanation-term.ts'
import type { ExplanationTerm } from '#shared/results/explanation.ts'
import { headDimensions, type AttentionWorkload } from '#shared/workload/attention.ts'

/** How formulas write the head dimensions: d, or d_k and d_v where they differ. */
export interface DimensionSymbols {
  readonly score: string
  readonly value: string
  /** d_k + d_v, and twice that, as factors. */
  readonly sum: string
  readonly twiceSum: string
  readonly terms: readonly ExplanationTerm[]
}

export function dimensionSymbols(workload: AttentionWorkload): DimensionSymbols {
  if (workload.variant !== 'mla') {
    return {
      score: 'd',
      value: 'd',
      sum: '2 · d',
      twiceSum: '4 · d',
      terms: [term('d', 'head dimension', workload.headDim, 'elements', 'workload.headDim')],
    }
  }
  const { score, value } = headDimensions(workload)
  const [ofScore, ofValue] =
    workload.phase === 'decode'
      ? ['workload.latentDim + workload.ropeDim', 'workload.latentDim']
      : ['workload.nopeDim + workload.ropeDim', 'workload.valueDim']
  return {
    score: 'd_k',
    value: 'd_v',
    sum: '(d_k + d_v)',
    twiceSum: '2 · (d_k + d_v)',
    terms: [
      term('d_k', 'dimension of a query and a key', score, 'elements', ofScore),
      term('d_v', 'dimension of a value and an output', value, 'elements', ofValue),
    ],
  }
}
