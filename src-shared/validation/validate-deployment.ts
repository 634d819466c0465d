import kernels from '#resources/published/fig13-kernels-2025.json' with { type: 'json' }
import point from '#resources/published/fig13-batch-256-2026.json' with { type: 'json' }
import curve from '#resources/published/fig13-tpot-2025.json' with { type: 'json' }
import {
  decodeSystems,
  decodeSystemRatios,
  decodeSystemsSource,
} from '#shared/baselines/decode-systems.ts'
import { modelPresets } from '#shared/presets/model-presets.ts'
import type { DecodeResult } from '#shared/results/decode-result.ts'
import type { Engine } from '#shared/schema/engine-field.ts'
import type { DecodeInput } from '#shared/schema/decode-input.ts'
import type { DeploymentConfig } from '#shared/schema/deployment.ts'
import { decodeCache, estimateDecode, type DecodeCache } from '#shared/simulate/run-decode.ts'
import { presetSystem } from '#shared/validation/published-wafer.ts'
import {
  compared,
  comparedInPoints,
  validationSet,
  type ValidationSet,
} from '#shared/validation/validation-set.ts'

/** A deployment of DeepSeek-v3-671B as arXiv 2604.02110 times it, but for what is given. */
export function publishedDeployment(
  system: string,
  change: Partial<DeploymentConfig>,
): DecodeInput {
  const model = modelPresets.find(({ id }) => id === 'deepseek-v3-671b')
  if (model === undefined) throw new Error('no model preset deepseek-v3-671b')
  return {
    kind: 'decode',
    engine: 'phase',
    system: presetSystem(system),
    model: model.config,
    deployment: {
      ...{ batchPerChip: 256, kvLength: 4096, expertParallel: 32, pipelineParallel: 2 },
      ...{ attention: 'flat', speculativeLength: 2, acceptance: 0.7 },
      ...{ routing: 'balanced', seed: 1, zipfExponent: 1, redundantExperts: 0 },
      ...{ dispatchFormat: 'fp8', combineFormat: 'bf16', onceForEachChip: false },
      ...{ communication: 'barrier', exchangeEngine: 'closed-form', layers: 'equal-moe' },
      ...{ kvLayout: 'fp8', ignoreCapacity: false },
      referenceArtefacts: { firstTileTimer: true, downProjectionLikeUp: true },
      ...change,
    },
  }
}

const simulate = (
  system: string,
  change: Partial<DeploymentConfig>,
  cache?: DecodeCache,
): DecodeResult => estimateDecode(publishedDeployment(system, change), cache).result

const ours = {
  'ours-1': () => simulate('wafer-1tb', { batchPerChip: 256 }),
  'ours-2': () => simulate('wafer-160gb', { batchPerChip: 128 }),
} as const

function systemSets(): ValidationSet[] {
  const results = { 'ours-1': ours['ours-1'](), 'ours-2': ours['ours-2']() }
  const measured = decodeSystems.find(({ id }) => id === 'ds-prof')
  const perChip = measured?.tokensPerSecondPerChip ?? Number.NaN
  const ratiosOf = (first: number, second: number) => [
    first / perChip,
    second / perChip,
    (first * 64) / (perChip * (measured?.chips ?? Number.NaN)),
  ]
  const predictedRatios = ratiosOf(
    results['ours-1'].tokensPerSecondPerChip,
    results['ours-2'].tokensPerSecondPerChip,
  )
  const published = (id: string) =>
    decodeSystems.find(system => system.id === id)?.tokensPerSecondPerChip ?? Number.NaN
  const publishedRatios = ratiosOf(published('ours-1'), published('ours-2'))
  return [
    validationSet({
      id: 'decode-systems-2026',
      title: 'DeepSeek-v3-671B on 64 chips, EP32-PP2',
      source: decodeSystemsSource,
      target: { meanAbsoluteError: 0.03, largestError: 0.05 },
      rows: (['ours-1', 'ours-2'] as const).flatMap(id => {
        const system = decodeSystems.find(candidate => candidate.id === id)
        const { tpotSeconds, tokensPerSecondPerChip } = results[id]
        return [
          compared(`${id}, TPOT`, 'ms', tpotSeconds * 1e3, system?.tpotMs ?? Number.NaN),
          compared(
            `${id}, throughput per chip`,
            'tokens/s',
            tokensPerSecondPerChip,
            system?.tokensPerSecondPerChip ?? Number.NaN,
          ),
        ]
      }),
    }),
    validationSet({
      id: 'decode-system-ratios-2026',
      title: 'DeepSeek-v3-671B on 64 chips against 96 H800',
      source: decodeSystemsSource,
      // The printed ratios are rounded down; these are of the numbers beside them.
      target: { meanAbsoluteError: 0.05, largestError: 0.05 },
      rows: decodeSystemRatios.map(({ quantity, value }, index) =>
        compared(
          `${quantity} (printed ${String(value)})`,
          'x',
          predictedRatios[index] ?? Number.NaN,
          publishedRatios[index] ?? Number.NaN,
        ),
      ),
    }),
  ]
}

function attentionSet(): ValidationSet {
  const flat = ours['ours-1']()
  const flash = simulate('wafer-1tb', { attention: 'flash' })
  const attentionOf = (result: DecodeResult) =>
    result.kernels.find(({ name }) => name === 'attention')
  const share = (result: DecodeResult) => 100 * (attentionOf(result)?.share ?? Number.NaN)
  const predicted = [
    100 * (attentionOf(flat)?.matrixUtilization ?? Number.NaN),
    share(flat),
    share(flash),
    flat.tokensPerSecondPerChip / flash.tokensPerSecondPerChip,
  ]
  return validationSet({
    id: 'fig13-batch-256-2026',
    title: point.title,
    source: point.source,
    target: { meanAbsoluteError: 0.03, largestError: 0.07 },
    rows: point.rows.map(([quantity, value], index) => {
      const name = String(quantity)
      const one = predicted[index] ?? Number.NaN
      return name.endsWith('%')
        ? comparedInPoints(name, one, Number(value))
        : compared(name, 'x', one, Number(value))
    }),
  })
}

/** A row of the curve of November 2025: kernels only, so many tokens in an iteration. */
function curveRow(
  [expertParallel = 0, batchPerChip = 0, tpotMs = 0]: readonly number[],
  cache: DecodeCache,
  engine: Engine = 'phase',
) {
  const { speculativeLength, kvLength, tokensPerIteration } = curve
  const pipelineParallel = Math.min(61, 64 / expertParallel)
  const input = publishedDeployment('wafer-1tb', {
    ...{ batchPerChip, expertParallel, pipelineParallel, speculativeLength, kvLength },
    communication: 'none',
  })
  const { iterationSeconds } = estimateDecode({ ...input, engine }, cache).result
  return compared(
    `EP${String(expertParallel)}, batch ${String(batchPerChip)}`,
    'ms',
    (iterationSeconds / tokensPerIteration) * 1e3,
    tpotMs,
  )
}

function curveSets(): ValidationSet[] {
  const { title, source } = curve
  const cache = decodeCache()
  const rowOf = (row: readonly number[]) => curveRow(row, cache)
  return [
    validationSet({
      id: 'fig13-tpot-2025',
      title,
      source,
      target: { meanAbsoluteError: 0.03, largestError: 0.06 },
      rows: curve.rows.map(rowOf),
    }),
    validationSet({
      id: 'fig13-plateaus-2025',
      title: `${title}: all experts on each chip`,
      source,
      target: { meanAbsoluteError: 0.08, largestError: 0.12 },
      rows: curve.plateaus.map(rowOf),
    }),
  ]
}

function kernelSet(): ValidationSet {
  const { kernels: rows } = simulate('wafer-1tb', {
    ...{ batchPerChip: 128, expertParallel: 64, pipelineParallel: 1, speculativeLength: 4 },
    communication: 'none',
  })
  return validationSet({
    id: 'fig13-kernels-2025',
    title: kernels.title,
    source: kernels.source,
    target: { meanAbsoluteError: 0.005, largestError: 0.02 },
    rows: kernels.rows.map(([name, published]) => {
      const row = rows.find(candidate => candidate.name === name)
      return comparedInPoints(String(name), 100 * (row?.share ?? Number.NaN), Number(published))
    }),
  })
}

/** Deployments of DeepSeek-v3 on the wafer: operating points, curve, kernels. */
export const validateDeployment = (): ValidationSet[] => [
  ...systemSets(),
  attentionSet(),
  ...curveSets(),
  kernelSet(),
]

/** Batches of the curve whose layers take the event engine a second or two. */
const MOST_SIMULATED_BATCH = 16

/** The same with every kernel simulated event by event: the short ones of small batches. */
export function validateSimulatedDeployment(): ValidationSet[] {
  const cache = decodeCache()
  return [
    validationSet({
      id: 'fig13-tpot-event-2025',
      title: `${curve.title}, event engine`,
      source: curve.source,
      target: { meanAbsoluteError: 0.03, largestError: 0.06 },
      rows: curve.rows
        .filter(([, batch = 0]) => batch <= MOST_SIMULATED_BATCH)
        .map(row => curveRow(row, cache, 'event')),
    }),
  ]
}
