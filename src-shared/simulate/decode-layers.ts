import type { ModelParts } from '#shared/models/decode/iteration-time.ts'
import { expertLoad, type ExpertLoad } from '#shared/models/decode/expert-load.ts'
import { secondsOf, type KernelTimer } from '#shared/models/decode/kernel-cost.ts'
import { layerTime, type LayerExchange } from '#shared/models/decode/layer-time.ts'
import type { Wafer } from '#shared/hardware/wafer.ts'
import type { ChipGroup } from '#shared/models/wafer/chip-groups.ts'
import { dispatchTime, type DispatchRequest } from '#shared/models/wafer/dispatch-time.ts'
import type { TokenRouting } from '#shared/models/wafer/token-routing.ts'
import type { DispatchResult } from '#shared/results/communication-result.ts'
import type { DeploymentConfig } from '#shared/schema/deployment.ts'
import {
  attentionCalls,
  denseCalls,
  draftInputCalls,
  expertCalls,
  headCalls,
  type DecodeTokens,
  type ExpertRows,
  type KernelCall,
} from '#shared/workload/decode-kernels.ts'
import type { DecoderModel } from '#shared/workload/decoder-model.ts'

/** Exchanges that were timed before, on one system. */
export type ExchangeCache = Map<string, DispatchResult>

/** Where a layer runs and what is known of it. */
export interface LayerContext {
  readonly model: DecoderModel
  readonly deployment: DeploymentConfig
  readonly wafer: Wafer
  /** The chips of one stage. */
  readonly group: ChipGroup
  readonly timer: KernelTimer
  readonly exchanges: ExchangeCache
}

/** A layer with experts, and what its tokens did. */
export interface ExpertLayer {
  readonly calls: readonly KernelCall[]
  readonly load: ExpertLoad
  readonly request: DispatchRequest
  /** Null where communication is left out. */
  readonly exchange: DispatchResult | null
}

export interface TimedParts extends ModelParts {
  readonly expertLayer: ExpertLayer | null
}

/** What an iteration is made of, each part timed on the chip that takes longest. */
export function timedParts(context: LayerContext): TimedParts {
  const { model, deployment, timer } = context
  const { batchPerChip, speculativeLength, kvLength, communication, layers } = deployment
  const conventions = deployment.referenceArtefacts
  const whole: DecodeTokens = { batch: batchPerChip, speculativeLength, kvLength }
  const half = { ...whole, batch: Math.ceil(batchPerChip / 2) }
  const hasExperts = model.experts.routed > 0
  const hasDense = !hasExperts || (layers === 'exact' && model.denseLayers > 0)
  const denseLayer = hasDense
    ? [...attentionCalls(model, whole), ...denseCalls(model, whole, conventions)]
    : []
  const dense = layerTime(denseLayer, nothingSent, 'none', timer)
  const expertLayer = hasExperts
    ? layerWithExperts(context, communication === 'overlap' ? half : whole)
    : null
  const expert =
    expertLayer === null
      ? dense
      : layerTime(expertLayer.calls, expertLayer.exchange ?? nothingSent, communication, timer)
  const drafting = layers === 'exact' && model.mtpModules > 0 && speculativeLength > 1
  return {
    ...{ dense, expert, expertLayer },
    head: layers === 'exact' ? headCalls(model, whole) : [],
    draft: drafting ? draftTime(context, whole) : { ...dense, calls: [] },
    drafts: drafting ? speculativeLength - 1 : 0,
  }
}

const nothingSent: LayerExchange = { dispatchSeconds: 0, combineSeconds: 0 }

/** One MTP module: a projection, a layer and the head, for one new token of each sequence. */
function draftTime(context: LayerContext, whole: DecodeTokens) {
  const { model, deployment, timer } = context
  const tokens = { ...whole, speculativeLength: 1 }
  const mode = deployment.communication === 'none' ? 'none' : 'barrier'
  const expertLayer = model.experts.routed > 0 ? layerWithExperts(context, tokens) : null
  const layer = expertLayer?.calls ?? [
    ...attentionCalls(model, tokens),
    ...denseCalls(model, tokens, deployment.referenceArtefacts),
  ]
  const calls = [...draftInputCalls(model, tokens), ...layer, ...headCalls(model, tokens)]
  return layerTime(
    calls.map(call => ({ ...call, name: `draft: ${call.name}` })),
    expertLayer?.exchange ?? nothingSent,
    mode,
    timer,
  )
}

function layerWithExperts(context: LayerContext, tokens: DecodeTokens): ExpertLayer {
  const { model, deployment, wafer, group, timer } = context
  const { experts, topK } = { experts: model.experts.routed, topK: model.experts.topK }
  const routing = routingOf(deployment)
  const tokensPerChip = tokens.batch * tokens.speculativeLength
  const chips = group.chips.length
  const { redundantExperts } = deployment
  const load = expertLoad({ experts, topK, routing, tokensPerChip, chips, redundantExperts })
  const request: DispatchRequest = {
    ...{ group, placement: load.placement, routing, experts, topK, tokensPerChip },
    width: model.hidden,
    dispatchFormat: deployment.dispatchFormat,
    combineFormat: deployment.combineFormat,
    headerBytes: 0,
    onceForEachChip: deployment.onceForEachChip,
    engine: deployment.exchangeEngine,
  }
  const callsOf = (rows: readonly ExpertRows[]) =>
    expertCalls(model, tokens, rows, chips === 1, deployment.referenceArtefacts)
  return {
    calls: [...attentionCalls(model, tokens), ...slowestMember(load, callsOf, timer)],
    ...{ load, request },
    exchange:
      deployment.communication === 'none'
        ? null
        : cachedExchange(wafer, request, context.exchanges),
  }
}

/** The kernels of the chip that takes longest: every layer ends with a barrier. */
function slowestMember(
  { members }: ExpertLoad,
  callsOf: (rows: readonly ExpertRows[]) => KernelCall[],
  timer: KernelTimer,
): KernelCall[] {
  const different = new Map(members.map(rows => [JSON.stringify(rows), rows]))
  const timed = [...different.values()].map(rows => {
    const calls = callsOf(rows)
    return { calls, seconds: secondsOf(calls, timer) }
  })
  return timed.reduce((most, one) => (one.seconds > most.seconds ? one : most)).calls
}

function cachedExchange(
  wafer: Wafer,
  request: DispatchRequest,
  cache: ExchangeCache,
): DispatchResult {
  const { routing, tokensPerChip, group, placement, ...rest } = request
  const key = JSON.stringify([routing, tokensPerChip, group.chips.length, placement.copies, rest])
  const known = cache.get(key)
  if (known !== undefined) return known
  const result = dispatchTime(wafer, request)
  cache.set(key, result)
  return result
}

/** How tokens choose experts, of what the deployment says of it. */
export function routingOf({ routing, seed, zipfExponent }: DeploymentConfig): TokenRouting {
  switch (routing) {
    case 'balanced':
      return { pattern: routing }
    case 'uniform':
      return { pattern: routing, seed }
    case 'zipf':
      return { pattern: routing, seed, exponent: zipfExponent }
  }
}
