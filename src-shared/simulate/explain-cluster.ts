import { term } from '#shared/models/explanation-term.ts'
import type { ClusterResult } from '#shared/results/cluster-result.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import type { ClusterInput } from '#shared/schema/cluster-input.ts'
import type { DecoderModel } from '#shared/workload/decoder-model.ts'

export interface ClusterReading {
  readonly input: ClusterInput
  readonly model: DecoderModel
  readonly result: ClusterResult
}

/** How each number of a cluster came about, with the values filled in. */
export function explainCluster({ input, result }: ClusterReading): Explanation[] {
  const { system, deployment } = input
  const { communication, loadsHide } = {
    communication: deployment.communication,
    loadsHide: system.loadsHideBehindMath,
  }
  const each = result.terms.map(({ term: name, seconds }) =>
    term(`t_${name}`, name, seconds, 's', 'result.terms'),
  )
  const iteration = term('T', 'iteration', result.iterationSeconds, 's', 'result.iterationSeconds')
  const tokens = term(
    'n',
    'tokens of it',
    result.tokensPerIteration,
    '1',
    'result.tokensPerIteration',
  )
  const sequences = term(
    'N',
    'sequences in flight',
    result.sequencesInFlight,
    '1',
    'result.sequencesInFlight',
  )
  const sums = communication === 'barrier' && !loadsHide
  return [
    {
      ...{ field: 'iterationSeconds', label: 'Iteration', unit: 's' },
      value: result.iterationSeconds,
      formula: sums
        ? 'T = t_weights + t_kv-cache + t_matrix + t_attention + t_all-to-all'
        : `kernels ${loadsHide ? 'with loads behind their arithmetic' : 'after their loads'}; communication: ${communication}`,
      terms: each,
      source: 'Roofline of each kernel; J. Austin et al., "How to Scale Your Model", 2025',
    },
    {
      ...{ field: 'tpotSeconds', label: 'TPOT', unit: 's', value: result.tpotSeconds },
      ...{ formula: 'TPOT = T / n', terms: [iteration, tokens], source: 'Definition' },
    },
    {
      ...{ field: 'systemTokensPerSecond', label: 'Throughput of the system', unit: '1/s' },
      ...{ value: result.systemTokensPerSecond, formula: 'R = N · n / T' },
      ...{ terms: [sequences, tokens, iteration] },
      source: "Little's law: sequences in flight = throughput × TPOT",
    },
    {
      ...{ field: 'tokensPerSecondPerChip', label: 'Throughput per GPU', unit: '1/s' },
      ...{ value: result.tokensPerSecondPerChip, formula: 'R / G' },
      terms: [
        term(
          'R',
          'throughput',
          result.systemTokensPerSecond,
          '1/s',
          'result.systemTokensPerSecond',
        ),
        term('G', 'GPUs of the system', system.gpus, '1', 'system.gpus'),
      ],
      source: 'Definition',
    },
  ]
}
