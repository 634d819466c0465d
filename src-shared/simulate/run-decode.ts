import { chipCount, type Wafer } from '#shared/hardware/wafer.ts'
import { peakFlops } from '#shared/hardware/chip.ts'
import { MODEL_VERSION } from '#shared/model-version.ts'
import { acceptedTokens } from '#shared/models/decode/accepted-tokens.ts'
import { chipThroughput } from '#shared/models/decode/chip-throughput.ts'
import { decodeWarnings } from '#shared/simulate/decode-warnings.ts'
import { explainDecode } from '#shared/simulate/explain-decode.ts'
import { iterationTime, stageTime, type StageTime } from '#shared/models/decode/iteration-time.ts'
import { kernelRows, type KernelCost, type KernelTimer } from '#shared/models/decode/kernel-cost.ts'
import { pipelineStages } from '#shared/models/decode/pipeline-stages.ts'
import { peakHbmBandwidth } from '#shared/models/memory/hbm.ts'
import { chipGroups, type ChipGroup } from '#shared/models/wafer/chip-groups.ts'
import { pipelineTransfer } from '#shared/models/wafer/pipeline-transfer.ts'
import { tokenBytes } from '#shared/models/wafer/token-message.ts'
import type {
  DecodeCommunication,
  DecodeMemory,
  DecodeResult,
} from '#shared/results/decode-result.ts'
import type { ResultWarning } from '#shared/results/warning.ts'
import type { DeploymentConfig } from '#shared/schema/deployment.ts'
import type { DecodeDocument, DecodeInput } from '#shared/schema/decode-input.ts'
import { resolveModel } from '#shared/schema/model.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { resolveSystem } from '#shared/schema/system.ts'
import { checkMemory, deploymentMemory } from '#shared/simulate/decode-memory.ts'
import { timedParts, type ExchangeCache, type TimedParts } from '#shared/simulate/decode-layers.ts'
import {
  eventWarnings,
  knownTimer,
  recordingTimer,
  simulateKernels,
  type EventCosts,
} from '#shared/simulate/event-kernels.ts'
import { kernelTimer, type TimerOptions } from '#shared/simulate/kernel-timer.ts'
import { finish, InfeasibleError, type Simulation } from '#shared/simulate/simulation.ts'
import { linksOfAllGroups } from '#shared/models/decode/group-links.ts'
import { parameterCounts, type DecoderModel } from '#shared/workload/decoder-model.ts'

/** What was computed before, for one system: deployments share most of their kernels. */
export interface DecodeCache {
  readonly kernels: Map<string, KernelCost>
  /** Of the event engine. */
  readonly simulated: EventCosts
  readonly exchanges: ExchangeCache
}

export const decodeCache = (): DecodeCache => ({
  ...{ kernels: new Map(), simulated: new Map(), exchanges: new Map() },
})

/**
 * Simulates a deployment at once.
 *
 * @throws InfeasibleError where it does not fit in memory, or a kernel not on the chip
 */
export const estimateDecode = (input: DecodeInput, cache?: DecodeCache): DecodeDocument =>
  finish(runDecode(input, cache))

/**
 * One point of a deployment: the kernels of a layer, their communication, the pipeline.
 *
 * @param cache of the same system
 * @throws InfeasibleError as above
 */
export function* runDecode(
  input: DecodeInput,
  cache: DecodeCache = decodeCache(),
): Simulation<DecodeDocument> {
  const total = 3
  yield { phase: 'memory', done: 0, total }
  const wafer = resolveSystem(input.system)
  const model = resolveModel(input.model)
  const memory = deploymentMemory(model, input.deployment, wafer)
  if (!input.deployment.ignoreCapacity) checkMemory(model, input.deployment, wafer, input.model)

  yield { phase: 'kernels', done: 1, total }
  const resolved = { input, wafer, model, memory }
  const { point, warnings } =
    input.engine === 'event'
      ? yield* eventPoint(resolved, cache)
      : { point: decodePoint(resolved, cache), warnings: [] }

  yield { phase: 'explanation', done: 2, total }
  return {
    schemaVersion: SCHEMA_VERSION,
    modelVersion: MODEL_VERSION,
    input,
    result: point.result,
    explanation: explainDecode({ ...point, model, wafer, deployment: input.deployment }),
    warnings: [
      ...decodeWarnings({ ...point, model, wafer, deployment: input.deployment }),
      ...warnings,
    ],
  }
}

/** The phase engine says which kernels there are; the event engine runs each shape of them once. */
function* eventPoint(
  resolved: ResolvedDeployment,
  cache: DecodeCache,
): Simulation<{ readonly point: DecodePoint; readonly warnings: readonly ResultWarning[] }> {
  const { wafer, input } = resolved
  const options = timerOptions(input.deployment)
  const recording = recordingTimer(kernelTimer(wafer.chip, options, cache.kernels), options)
  decodePoint(resolved, cache, recording.timer)
  yield* simulateKernels(recording.asked, wafer.chip, options, cache.simulated)
  return {
    point: decodePoint(resolved, cache, knownTimer(cache.simulated, options)),
    warnings: eventWarnings(recording.asked, cache.simulated),
  }
}

const timerOptions = ({ attention, referenceArtefacts }: DeploymentConfig): TimerOptions => ({
  attention,
  vectorTiming: referenceArtefacts.firstTileTimer ? 'first-tile' : 'all-tiles',
})

/** A deployment with its units resolved. */
export interface ResolvedDeployment {
  readonly input: Pick<DecodeInput, 'deployment'>
  readonly wafer: Wafer
  readonly model: DecoderModel
  readonly memory: DecodeMemory
}

/** The numbers of a point with what they were made of. */
export interface DecodePoint {
  readonly result: DecodeResult
  readonly parts: TimedParts
  readonly stages: readonly StageTime[]
}

/**
 * The numbers of a point, whether it fits in memory or not.
 *
 * @param timer of the kernels; the phase engine where left out
 */
export function decodePoint(
  { input, wafer, model, memory }: ResolvedDeployment,
  cache: DecodeCache,
  timer: KernelTimer = kernelTimer(wafer.chip, timerOptions(input.deployment), cache.kernels),
): DecodePoint {
  const { deployment } = input
  const { expertParallel, pipelineParallel, batchPerChip, speculativeLength } = deployment
  const groups = stageGroups(expertParallel, wafer)
  const [group] = groups
  if (group === undefined) throw new InfeasibleError('system.chips: no group of chips')
  const context = { model, deployment, wafer, group, timer, exchanges: cache.exchanges }
  const parts = timedParts(context)
  const stages = pipelineStages(model, pipelineParallel, deployment.layers).map(stage =>
    stageTime(stage, parts, timer),
  )
  const chips = chipCount(wafer)
  const replicas = Math.floor(chips / (expertParallel * pipelineParallel))
  const used = groups.slice(0, pipelineParallel * replicas)
  const handOver =
    deployment.communication === 'none' || pipelineParallel === 1
      ? 0
      : pipelineTransfer(
          used.slice(0, pipelineParallel),
          batchPerChip * speculativeLength,
          tokenBytes(model.hidden, model.dtype === 'fp8' ? 'fp8' : 'bf16'),
          wafer,
        ).seconds
  const iteration = iterationTime(stages, handOver, deployment.layers)
  const tokensPerIteration = acceptedTokens(speculativeLength, deployment.acceptance)
  const sequencesInFlight = replicas * pipelineParallel * expertParallel * batchPerChip
  const systemTokensPerSecond = (sequencesInFlight * tokensPerIteration) / iteration.seconds
  const busy = replicas * expertParallel * pipelineParallel
  const throughput = chipThroughput(systemTokensPerSecond, { all: chips, busy })
  const tpotSeconds = iteration.seconds / tokensPerIteration
  const peaks = {
    flopsPerSecond: peakFlops(wafer.chip),
    hbmBytesPerSecond: peakHbmBandwidth(wafer.chip),
  }
  return {
    ...{ parts, stages },
    result: {
      ...{ tpotSeconds, systemTokensPerSecond, tokensPerIteration, sequencesInFlight, memory },
      iterationSeconds: iteration.seconds,
      layerSeconds: stages.reduce((sum, stage) => sum + stage.layerSeconds, 0) / model.layers,
      tokensPerSecondPerChip: throughput.perChip,
      tokensPerSecondPerBusyChip: throughput.perBusyChip,
      tokensPerSecondPerUser: 1 / tpotSeconds,
      fits: memory.missingBytes === 0,
      kernels: stages.flatMap(({ stage, calls }) => kernelRows(stage.stage, calls, timer, peaks)),
      communication: {
        ...communicationOf(parts, deployment.communication === 'overlap' ? 2 : 1, used),
        pipelineSeconds: iteration.pipelineSeconds,
      },
      parameters: parametersOf(model),
      pipeline: {
        layersPerStage: stages.map(({ stage }) => stage.layers),
        stageSeconds: stages.map(({ seconds }) => seconds),
        ...{ efficiency: iteration.efficiency, fillSeconds: iteration.fillSeconds, replicas },
        idleChips: chips - busy,
      },
    },
  }
}

function parametersOf(model: DecoderModel): DecodeResult['parameters'] {
  const { total, active, activeWithHead, activeWithBoth } = parameterCounts(model)
  return { total, active, activeWithHead, activeWithBoth }
}

/** @throws InfeasibleError where the grid cannot be cut into groups of that size */
function stageGroups(expertParallel: number, wafer: Wafer): readonly ChipGroup[] {
  const groups = chipGroups(expertParallel, wafer)
  if (groups !== null) return groups
  throw new InfeasibleError(
    `deployment.expertParallel: ${String(wafer.columns)} x ${String(wafer.rows)} chips cannot be cut into rectangles of ${String(expertParallel)}`,
  )
}

function communicationOf(
  { expertLayer, expert }: TimedParts,
  runs: number,
  groups: readonly ChipGroup[],
): Omit<DecodeCommunication, 'pipelineSeconds'> {
  const exchange = expertLayer?.exchange ?? null
  return {
    dispatchSeconds: runs * (exchange?.dispatchSeconds ?? 0),
    combineSeconds: runs * (exchange?.combineSeconds ?? 0),
    exposedSeconds: expert.exposedSeconds,
    maxLinkBytes: exchange?.maxLinkBytes ?? 0,
    links: linksOfAllGroups(exchange?.links ?? [], groups),
  }
}
