import { MODEL_VERSION } from '#shared/model-version.ts'
import { paretoFront } from '#shared/results/pareto-front.ts'
import type { DecodeResult } from '#shared/results/decode-result.ts'
import type {
  ExplainedPoint,
  PlanChoice,
  PlanPoint,
  UnfitPoint,
} from '#shared/results/plan-result.ts'
import type { ResultWarning } from '#shared/results/warning.ts'
import { resolveModel } from '#shared/schema/model.ts'
import type { PlanDocument, PlanInput } from '#shared/schema/plan-input.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { resolveSystem } from '#shared/schema/system.ts'
import { deploymentMemory, deploymentSplits } from '#shared/simulate/decode-memory.ts'
import {
  bottleneckOf,
  tryChanges,
  resultOf,
  type ChangeCaches,
} from '#shared/simulate/plan-changes.ts'
import { explainPlan } from '#shared/simulate/explain-plan.ts'
import { decodeCache } from '#shared/simulate/run-decode.ts'
import { InfeasibleError, type Simulation } from '#shared/simulate/simulation.ts'
import { formatBytes, formatNumber, formatSeconds } from '#shared/units/format.ts'

interface Searched {
  readonly points: readonly PlanPoint[]
  readonly unfit: readonly UnfitPoint[]
  /** The whole result of each point. */
  readonly results: ReadonlyMap<PlanPoint, DecodeResult>
}

/**
 * Tries every batch, split and dataflow, and says which is best.
 *
 * Every point is simulated; what they share is simulated once. A point that does not fit in memory
 * never counts.
 *
 * @throws InfeasibleError where nothing can be searched
 */
export function* planDecode(input: PlanInput): Simulation<PlanDocument> {
  const choices = planChoices(input)
  const total = choices.length + 1
  const searched = yield* searchChoices(input, choices, total)
  const front = paretoFront(searched.points, {
    x: ({ tokensPerSecondPerUser }) => tokensPerSecondPerUser,
    y: ({ tokensPerSecondPerChip }) => tokensPerSecondPerChip,
  })
  const best = bestOf(searched.points, input)
  const caches: ChangeCaches = new Map()
  const explained: ExplainedPoint[] = []
  for (const point of front) {
    yield { phase: 'changes', done: choices.length, total }
    explained.push(explainedPoint(point, input, searched, caches))
  }
  const found = best === null ? -1 : front.indexOf(best)
  const bestPoint =
    best === null ? null : (explained[found] ?? explainedPoint(best, input, searched, caches))
  return {
    schemaVersion: SCHEMA_VERSION,
    modelVersion: MODEL_VERSION,
    input,
    result: {
      best: bestPoint,
      unreachable: best === null ? unreachable(searched, input) : null,
      front: explained,
      points: searched.points,
      unfit: searched.unfit,
      searched: choices.length,
    },
    explanation: bestPoint === null ? [] : explainPlan(bestPoint, input),
    warnings: planWarnings(input, searched),
  }
}

/** @throws InfeasibleError where a split that was asked for is none of the system's */
function planChoices(input: PlanInput): PlanChoice[] {
  const { search, deployment } = input
  const splits = deploymentSplits(
    resolveSystem(input.system),
    input.model,
    deployment.redundantExperts,
  )
  const wanted = splits.filter(
    ({ expertParallel, pipelineParallel }) =>
      (search.expertParallel?.includes(expertParallel) ?? true) &&
      (search.pipelineParallel?.includes(pipelineParallel) ?? true),
  )
  if (wanted.length === 0) {
    const known = splits.map(
      split => `EP${String(split.expertParallel)}-PP${String(split.pipelineParallel)}`,
    )
    throw new InfeasibleError(
      `search: no split of the system has expertParallel ${listed(search.expertParallel)} and pipelineParallel ${listed(search.pipelineParallel)}; allowed are ${known.join(', ')}`,
    )
  }
  const batches = [...new Set(search.batches)].filter(
    batch => deployment.communication !== 'overlap' || batch > 1,
  )
  const attentions = [...new Set(search.attentions)].filter(
    attention => input.model.attention.kind === 'latent' || attention !== 'flash-fair',
  )
  return wanted.flatMap(split =>
    attentions.flatMap(attention =>
      batches.map(batchPerChip => ({ batchPerChip, ...split, attention })),
    ),
  )
}

const listed = (values: readonly number[] | undefined): string =>
  values === undefined ? 'of any size' : values.map(String).join(', ')

function* searchChoices(
  input: PlanInput,
  choices: readonly PlanChoice[],
  total: number,
): Simulation<Searched> {
  const model = resolveModel(input.model)
  const wafer = resolveSystem(input.system)
  const cache = decodeCache()
  const points: PlanPoint[] = []
  const unfit: UnfitPoint[] = []
  const results = new Map<PlanPoint, DecodeResult>()
  for (const [index, choice] of choices.entries()) {
    yield { phase: 'points', done: index, total }
    const deployment = { ...input.deployment, ...choice }
    const { missingBytes, totalBytes } = deploymentMemory(model, deployment, wafer)
    if (missingBytes > 0 && !deployment.ignoreCapacity) {
      unfit.push({ ...choice, missingBytes, reason: `${formatBytes(missingBytes)} are missing` })
      continue
    }
    try {
      const result = resultOf({ ...input, deployment }, cache)
      const point = { ...choice, ...rates(result), memoryBytes: totalBytes }
      points.push(point)
      results.set(point, result)
    } catch (error) {
      if (!(error instanceof InfeasibleError)) throw error
      unfit.push({ ...choice, missingBytes: 0, reason: error.message })
    }
  }
  return { points, unfit, results }
}

const rates = ({
  tpotSeconds,
  tokensPerSecondPerUser,
  tokensPerSecondPerChip,
  systemTokensPerSecond,
  sequencesInFlight,
}: DecodeResult) => ({
  ...{ tpotSeconds, tokensPerSecondPerUser, tokensPerSecondPerChip },
  ...{ systemTokensPerSecond, sequencesInFlight },
})

/** The most throughput below the TPOT limit; without one, the least TPOT above the throughput. */
function bestOf(points: readonly PlanPoint[], { search }: PlanInput): PlanPoint | null {
  const { sloMs, minTokensPerSecondPerChip = 0 } = search
  const limit = (sloMs ?? Infinity) / 1000
  const meeting = points.filter(
    ({ tpotSeconds, tokensPerSecondPerChip }) =>
      tpotSeconds <= limit && tokensPerSecondPerChip >= minTokensPerSecondPerChip,
  )
  const wantsSpeed = sloMs === undefined && search.minTokensPerSecondPerChip !== undefined
  const order = (a: PlanPoint, b: PlanPoint) =>
    wantsSpeed
      ? a.tpotSeconds - b.tpotSeconds
      : b.tokensPerSecondPerChip - a.tokensPerSecondPerChip || a.tpotSeconds - b.tpotSeconds
  return meeting.toSorted(order)[0] ?? null
}

function explainedPoint(
  point: PlanPoint,
  input: PlanInput,
  { results }: Searched,
  caches: ChangeCaches,
): ExplainedPoint {
  const { batchPerChip, expertParallel, pipelineParallel, attention } = point
  const choice = { batchPerChip, expertParallel, pipelineParallel, attention }
  const now =
    results.get(point) ??
    resultOf({ ...input, deployment: { ...input.deployment, ...choice } }, decodeCache())
  return { ...point, bottleneck: bottleneckOf(now), ...tryChanges(input, choice, now, caches) }
}

/** Says how near the points come; nothing is extrapolated. */
function unreachable({ points, unfit }: Searched, { search }: PlanInput): string {
  if (points.length === 0) {
    const [nearest] = unfit.toSorted((a, b) => a.missingBytes - b.missingBytes)
    return `no point fits; of the nearest, ${nearest?.reason ?? 'nothing is known'}`
  }
  const fastest = Math.min(...points.map(({ tpotSeconds }) => tpotSeconds))
  const most = Math.max(...points.map(({ tokensPerSecondPerChip }) => tokensPerSecondPerChip))
  const limits = [
    search.sloMs === undefined ? '' : `a TPOT of ${formatSeconds(search.sloMs / 1000)}`,
    search.minTokensPerSecondPerChip === undefined
      ? ''
      : `${formatNumber(search.minTokensPerSecondPerChip)} tokens/s per chip`,
  ].filter(text => text !== '')
  return `unreachable: no point meets ${limits.join(' and ')}; the least TPOT is ${formatSeconds(fastest)}, the most throughput ${formatNumber(most)} tokens/s per chip`
}

function planWarnings({ deployment, model }: PlanInput, { unfit }: Searched): ResultWarning[] {
  const warnings: ResultWarning[] = []
  if (unfit.length > 0) {
    warnings.push({
      code: 'memory-capacity',
      message: `${String(unfit.length)} points do not run, most for lack of memory; they are not among the choices`,
    })
  }
  if (deployment.kvLength > model.maxLength) {
    warnings.push({
      code: 'outside-validated-regime',
      message: `kvLength ${String(deployment.kvLength)} is beyond the ${String(model.maxLength)} tokens that the model was made for`,
    })
  }
  if (deployment.exchangeEngine === 'closed-form' && deployment.communication !== 'none') {
    warnings.push({
      code: 'outside-validated-regime',
      message:
        'the closed form of the exchanges may be a sixth too fast where flits pass two lines that are equally busy, as with 64 chips; deployment.exchangeEngine event simulates each flit',
    })
  }
  if (deployment.layers === 'equal-moe') {
    warnings.push({
      code: 'reference-artefact',
      message: 'equal-moe: equal layers, spread evenly over the stages, as the paper counts',
    })
  }
  return warnings
}
