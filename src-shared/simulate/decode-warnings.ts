import { acceptanceText } from '#shared/models/decode/accepted-tokens.ts'
import type { Wafer } from '#shared/hardware/wafer.ts'
import { dispatchWarnings } from '#shared/models/wafer/dispatch-warnings.ts'
import type { DecodeResult } from '#shared/results/decode-result.ts'
import type { ResultWarning } from '#shared/results/warning.ts'
import type { DeploymentConfig } from '#shared/schema/deployment.ts'
import type { TimedParts } from '#shared/simulate/decode-layers.ts'
import { formatBytes, formatPercent } from '#shared/units/format.ts'
import type { DecoderModel } from '#shared/workload/decoder-model.ts'

export interface DecodeReading {
  readonly result: DecodeResult
  readonly parts: TimedParts
  readonly model: DecoderModel
  readonly wafer: Wafer
  readonly deployment: DeploymentConfig
}

/** What the reader of a deployment's result should know, and which reading of the paper it follows. */
export function decodeWarnings(reading: DecodeReading): ResultWarning[] {
  const { parts, wafer } = reading
  const exchange = parts.expertLayer
  return [
    ...capacityWarnings(reading),
    ...readingWarnings(reading),
    ...idleWarnings(reading),
    ...(exchange?.exchange ? dispatchWarnings(exchange.request, wafer) : []),
  ]
}

function capacityWarnings({ result, model, deployment }: DecodeReading): ResultWarning[] {
  const warnings: ResultWarning[] = []
  const { memory } = result
  if (!result.fits) {
    warnings.push({
      code: 'memory-capacity',
      message:
        `does not fit: ${formatBytes(memory.missingBytes)} are missing on the fullest chip of ` +
        `${formatBytes(memory.capacityBytes)}; timed all the same (deployment.ignoreCapacity)`,
    })
  }
  if (deployment.kvLength > model.maxLength) {
    warnings.push({
      code: 'outside-validated-regime',
      message: `kvLength ${String(deployment.kvLength)} is beyond the ${String(model.maxLength)} tokens that the model was made for`,
    })
  }
  return warnings
}

function readingWarnings({ result, model, deployment }: DecodeReading): ResultWarning[] {
  const warnings: ResultWarning[] = []
  const warn = (message: string) => warnings.push({ code: 'reference-artefact', message })
  const { layers, referenceArtefacts, speculativeLength, pipelineParallel } = deployment
  const { layersPerStage, efficiency } = result.pipeline
  if (layers === 'equal-moe' && model.experts.routed > 0) {
    warn(
      `equal-moe: ${String(model.layers)} equal layers with experts, as the paper counts; dense layers, embedding, head and MTP module are left out (deployment.layers exact has them)`,
    )
  }
  if (layers === 'equal-moe' && efficiency < 1) {
    const slowest = Math.max(...layersPerStage)
    warn(
      `equal-moe: ${String(model.layers)} layers count as if ${String(pipelineParallel)} stages had equal parts of them; the longest has ${String(slowest)}, so that whole layers take ${formatPercent(1 / efficiency - 1)} longer`,
    )
  }
  if (layers === 'exact' && efficiency < 0.999) {
    warnings.push({
      code: 'idle-chips',
      message: `stages are uneven: on average they are busy ${formatPercent(efficiency)} of the time of the slowest`,
    })
  }
  if (referenceArtefacts.firstTileTimer) {
    warn(
      'firstTileTimer: vector kernels end when tile 0 is through, as in the published layers; that leaves out their last stores',
    )
  }
  if (referenceArtefacts.downProjectionLikeUp) {
    warn(
      'downProjectionLikeUp: the down-projection of an MLP is timed with the shape of the other two: the same FLOPs, cut in another way',
    )
  }
  if (speculativeLength > 1) {
    const { acceptance } = deployment
    const drafts =
      typeof acceptance === 'number'
        ? `each of ${String(speculativeLength - 1)} drafts is accepted with a chance of`
        : 'the drafts are accepted, one after the other, with chances of'
    warn(
      `${drafts} ${acceptanceText(acceptance)}, where those before it were: ${String(Number(result.tokensPerIteration.toPrecision(4)))} tokens per iteration; the paper uses 0.7, the public configuration 0.75`,
    )
  }
  if (speculativeLength > 1 && (layers === 'equal-moe' || model.mtpModules === 0)) {
    warn('the drafts cost nothing: no MTP module is timed')
  }
  return warnings
}

function idleWarnings({ result, wafer, parts, deployment }: DecodeReading): ResultWarning[] {
  const warnings: ResultWarning[] = []
  const { idleChips } = result.pipeline
  if (idleChips > 0) {
    const chips = wafer.columns * wafer.rows
    warnings.push({
      code: 'idle-chips',
      message: `${String(idleChips)} of ${String(chips)} chips are in no stage; the throughput per chip counts them`,
    })
  }
  if (wafer.columns * wafer.rows === 1) {
    warnings.push({ code: 'idle-chips', message: 'a mesh of one chip has nobody to send to' })
  }
  const load = parts.expertLayer?.load
  const experts = load?.placement.copies.length ?? 0
  if (load !== undefined && load.activeExperts < experts) {
    warnings.push({
      code: 'idle-experts',
      message: `only ${String(load.activeExperts)} of ${String(experts)} experts have a token`,
    })
  }
  if (deployment.attention === 'flash') {
    warnings.push({
      code: 'idle-tiles',
      message:
        'flash gives each sequence to one tile, as the published comparison does; flash-fair uses all tiles',
    })
  }
  return warnings
}
