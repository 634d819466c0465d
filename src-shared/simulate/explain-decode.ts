import { chipCount } from '#shared/hardware/wafer.ts'
import type { StageTime } from '#shared/models/decode/iteration-time.ts'
import { explainDispatch } from '#shared/models/wafer/explain-dispatch.ts'
import { term } from '#shared/models/explanation-term.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import type { DecodeReading } from '#shared/simulate/decode-warnings.ts'
import { kvBytesPerLayer } from '#shared/workload/decoder-model.ts'

type Reading = DecodeReading & { readonly stages: readonly StageTime[] }

const input = (field: string) => `deployment.${field}`

/** How each number of a deployment came about, with the values filled in. */
export function explainDecode(reading: Reading): Explanation[] {
  const { parts, wafer } = reading
  const { expertLayer } = parts
  const exchange = expertLayer?.exchange ?? null
  return [
    ...explainRates(reading),
    explainIteration(reading),
    explainLayer(reading),
    explainTokens(reading),
    ...explainMemory(reading),
    ...(expertLayer === null || exchange === null
      ? []
      : explainDispatch(expertLayer.request, exchange, wafer).map(one => ({
          ...one,
          field: `communication.${one.field}`,
        }))),
  ]
}

function explainRates({ result, wafer, deployment }: Reading): Explanation[] {
  const { tpotSeconds, iterationSeconds, tokensPerIteration, sequencesInFlight } = result
  const iteration = term('T', 'iteration', iterationSeconds, 's', 'result.iterationSeconds')
  const tokens = term(
    'n',
    'tokens of an iteration',
    tokensPerIteration,
    '1',
    'result.tokensPerIteration',
  )
  const chips = term('C', 'chips of the system', chipCount(wafer), '1', 'system.chips')
  const sequences = term(
    'N',
    'sequences in flight',
    sequencesInFlight,
    '1',
    'result.sequencesInFlight',
  )
  const source = "Little's law: sequences in flight = throughput × TPOT"
  const { batchPerChip, expertParallel, pipelineParallel } = deployment
  return [
    {
      ...{ field: 'tpotSeconds', label: 'TPOT', value: tpotSeconds, unit: 's' },
      ...{ formula: 'TPOT = T / n', terms: [iteration, tokens], source: 'Definition' },
    },
    {
      ...{ field: 'tokensPerSecondPerUser', label: 'Speed of a user', unit: '1/s' },
      ...{ value: result.tokensPerSecondPerUser, formula: 'n / T', terms: [tokens, iteration] },
      source: 'Definition',
    },
    {
      ...{ field: 'systemTokensPerSecond', label: 'Throughput of the system', unit: '1/s' },
      ...{ value: result.systemTokensPerSecond, formula: 'R = N · n / T' },
      ...{ terms: [sequences, tokens, iteration], source },
    },
    {
      ...{ field: 'tokensPerSecondPerChip', label: 'Throughput per chip', unit: '1/s' },
      ...{ value: result.tokensPerSecondPerChip, formula: 'R / C = N · n / (T · C)' },
      ...{ terms: [sequences, tokens, iteration, chips], source },
    },
    {
      ...{ field: 'sequencesInFlight', label: 'Sequences in flight', unit: '1' },
      ...{ value: sequencesInFlight, formula: 'N = b · E · P · r' },
      terms: [
        term('b', 'batch of a chip', batchPerChip, '1', input('batchPerChip')),
        term('E', 'chips of a stage', expertParallel, '1', input('expertParallel')),
        term('P', 'batches under way', pipelineParallel, '1', input('pipelineParallel')),
        term('r', 'pipelines', result.pipeline.replicas, '1', 'result.pipeline.replicas'),
      ],
      source: 'As many batches as stages are under way',
    },
  ]
}

function explainIteration({ result, deployment, model, stages }: Reading): Explanation {
  const { layers, pipelineParallel } = deployment
  const { pipelineSeconds } = result.communication
  const common = {
    ...{ field: 'iterationSeconds', label: 'Iteration', unit: 's' },
    value: result.iterationSeconds,
  }
  const handOver = term(
    't_p',
    'hand-overs between stages',
    pipelineSeconds,
    's',
    'result.communication.pipelineSeconds',
  )
  if (layers === 'equal-moe') {
    return {
      ...common,
      formula: 'T = L · t_l + t_p',
      terms: [
        term('L', 'layers', model.layers, '1', 'model.layers'),
        term('t_l', 'a layer', result.layerSeconds, 's', 'result.layerSeconds'),
        handOver,
      ],
      source: 'Reading of Table II of arXiv 2604.02110: layers spread evenly over the stages',
    }
  }
  const slowest = Math.max(...stages.map(({ seconds }) => seconds))
  return {
    ...common,
    formula: 'T = P · t_s + t_p',
    terms: [
      term('P', 'stages', pipelineParallel, '1', input('pipelineParallel')),
      term('t_s', 'the slowest stage', slowest, 's', 'result.pipeline.stageSeconds'),
      handOver,
    ],
    source: 'A closed ring of P stages with P batches',
  }
}

function explainLayer({ result, parts, deployment }: Reading): Explanation {
  const layer = parts.expertLayer === null ? parts.dense : parts.expert
  return {
    ...{ field: 'layerSeconds', label: 'Layer', value: result.layerSeconds, unit: 's' },
    formula:
      deployment.layers === 'exact'
        ? 'mean over the layers; one with experts, or any of a dense model, takes t_l = t_k + t_c'
        : 't_l = t_k + t_c',
    terms: [
      term('t_k', 'kernels', layer.kernelSeconds, 's', 'result.kernels'),
      term(
        't_c',
        'wait for dispatch and combine',
        layer.exposedSeconds,
        's',
        'result.communication.exposedSeconds',
      ),
    ],
    source: 'Kernels run one after the other; communication as deployment.communication says',
  }
}

const explainTokens = ({
  result,
  deployment: { acceptance, ...deployment },
}: Reading): Explanation => ({
  ...{ field: 'tokensPerIteration', label: 'Tokens of an iteration', unit: '1' },
  value: result.tokensPerIteration,
  formula:
    typeof acceptance === 'number' ? 'n = 1 + a + … + a^(s − 1)' : 'n = 1 + a_1 + a_1·a_2 + …',
  terms: [
    ...(typeof acceptance === 'number'
      ? [term('a', 'acceptance', acceptance, '1', input('acceptance'))]
      : acceptance.map((chance, draft) =>
          term(
            `a_${String(draft + 1)}`,
            `acceptance of draft ${String(draft + 1)}`,
            chance,
            '1',
            input('acceptance'),
          ),
        )),
    term('s', 'speculative length', deployment.speculativeLength, '1', input('speculativeLength')),
  ],
  source: 'Y. Leviathan et al., "Fast Inference from Transformers via Speculative Decoding", 2023',
})

function explainMemory({ result, model, deployment }: Reading): Explanation[] {
  const { memory } = result
  const fullest = memory.perStage.find(({ totalBytes }) => totalBytes === memory.totalBytes)
  const { kvLength, batchPerChip, pipelineParallel, kvLayout } = deployment
  return [
    {
      ...{ field: 'memory.totalBytes', label: 'Memory of the fullest chip', unit: 'B' },
      ...{ value: memory.totalBytes, formula: 'W + KV + A' },
      terms: [
        term('W', 'weights', memory.weightsBytes, 'B', 'result.memory.weightsBytes'),
        term('KV', 'KV cache', memory.kvCacheBytes, 'B', 'result.memory.kvCacheBytes'),
        term('A', 'activations', memory.activationBytes, 'B', 'result.memory.activationBytes'),
      ],
      source: 'Counting',
    },
    {
      ...{ field: 'memory.kvCacheBytes', label: 'KV cache of the fullest chip', unit: 'B' },
      ...{ value: memory.kvCacheBytes, formula: 'KV = P · b · L · c · layers' },
      terms: [
        term('P', 'batches under way', pipelineParallel, '1', input('pipelineParallel')),
        term('b', 'batch of a chip', batchPerChip, '1', input('batchPerChip')),
        term('L', 'KV length', kvLength, '1', input('kvLength')),
        term(
          'c',
          'bytes of a token in a layer',
          kvBytesPerLayer(model, kvLayout),
          'B',
          input('kvLayout'),
        ),
        term('layers', 'layers of the stage', fullest?.layers ?? 0, '1', 'result.memory.perStage'),
      ],
      source: 'Counting; with MTP its modules have a cache, too',
    },
  ]
}
