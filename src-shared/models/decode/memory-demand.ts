import type { PipelineStage } from '#shared/models/decode/pipeline-stages.ts'
import type { DecodeMemory, StageMemory } from '#shared/results/decode-result.ts'
import { bytes, type Bytes } from '#shared/units/quantity.ts'
import { elementBytes } from '#shared/workload/attention.ts'
import {
  attentionCalls,
  denseCalls,
  draftInputCalls,
  expertCalls,
  headCalls,
  type DecodeTokens,
  type KernelCall,
} from '#shared/workload/decode-kernels.ts'
import {
  kvBytesPerLayer,
  type DecoderModel,
  type KvLayout,
} from '#shared/workload/decoder-model.ts'

/** What decides how much a chip has to hold. */
export interface MemoryRequest {
  readonly tokens: DecodeTokens
  readonly stages: readonly PipelineStage[]
  /** Chips that share the experts of a layer. */
  readonly expertChips: number
  readonly redundantExperts: number
  readonly kvLayout: KvLayout
  readonly capacity: Bytes
}

/**
 * What the fullest chip of each stage holds.
 *
 *   W   = Σ weights of the stage's kernels, with ⌈(R + redundant) / E⌉ routed experts of each layer
 *   KV  = P · b · L · c · layers
 *   A   = residual stream + largest operands of one kernel + tokens received for the experts
 *
 * R  routed experts    E  chips that share them    P  stages: as many batches are under way
 * b  sequences of a chip    L  KV length    c  bytes of a token in one layer
 * Attention is replicated, so a chip has the cache of its own sequences only, but of all batches.
 *
 * Source: counting; the weights are those that the kernels read, with the projections absorbed.
 * Leaves out: code, tables of rope, and what an allocator loses.
 * Checked by: test/src-shared/simulate/run-decode.test.ts
 */
export function memoryDemand(model: DecoderModel, request: MemoryRequest): DecodeMemory {
  const { stages, capacity } = request
  const perStage = stages.map(stage => stageMemory(model, stage, request))
  const fullest = perStage.reduce((most, stage) =>
    stage.totalBytes > most.totalBytes ? stage : most,
  )
  const { weightsBytes, kvCacheBytes, activationBytes, totalBytes } = fullest
  return {
    ...{ weightsBytes, kvCacheBytes, activationBytes, totalBytes },
    capacityBytes: capacity,
    missingBytes: Math.max(0, totalBytes - capacity),
    perStage,
  }
}

function stageMemory(
  model: DecoderModel,
  { stage, layers, denseLayers, expertLayers, hasEmbedding, hasHead }: PipelineStage,
  { tokens, stages, expertChips, redundantExperts, kvLayout, capacity }: MemoryRequest,
): StageMemory {
  const { hidden, vocabulary, experts, mtpModules } = model
  const element = elementBytes(model.dtype)
  const parts = layerParts(model, tokens)
  const localExperts = Math.ceil((experts.routed + redundantExperts) / expertChips)
  const expertLayer =
    weightsOf(parts.attention) +
    weightsOf(parts.experts) +
    element * localExperts * 3 * hidden * experts.inner
  const drafts = hasHead && tokens.speculativeLength > 1 ? mtpModules : 0
  const draftLayer =
    experts.routed > 0 ? expertLayer : weightsOf([...parts.attention, ...parts.dense])
  const weightsBytes =
    expertLayers * expertLayer +
    denseLayers * weightsOf([...parts.attention, ...parts.dense]) +
    element * 2 * hidden * layers +
    (hasEmbedding ? element * vocabulary * hidden : 0) +
    (hasHead && (model.untiedHead || !hasEmbedding) ? weightsOf(parts.head) : 0) +
    drafts * (draftLayer + weightsOf(parts.draftInput))
  const kvCacheBytes =
    stages.length *
    tokens.batch *
    tokens.kvLength *
    kvBytesPerLayer(model, kvLayout) *
    (layers + drafts)
  const rows = tokens.batch * tokens.speculativeLength
  const all = [
    ...parts.attention,
    ...(denseLayers > 0 ? parts.dense : []),
    ...(expertLayers > 0 ? parts.experts : []),
    ...(hasHead ? parts.head : []),
  ]
  const received = expertLayers > 0 && expertChips > 1 ? 2 * rows * experts.topK * hidden : 0
  const activationBytes = element * (rows * hidden + received) + Math.max(...all.map(operandBytes))
  const totalBytes = weightsBytes + kvCacheBytes + activationBytes
  return {
    ...{ stage, layers, weightsBytes, kvCacheBytes, activationBytes, totalBytes },
    freeBytes: Math.max(0, capacity - totalBytes),
  }
}

/** The kernels of each part of a model, without routed experts. */
function layerParts(model: DecoderModel, tokens: DecodeTokens) {
  const conventions = { downProjectionLikeUp: false }
  return {
    attention: attentionCalls(model, tokens),
    dense: denseCalls(model, tokens, conventions),
    experts: model.experts.routed > 0 ? expertCalls(model, tokens, [], false, conventions) : [],
    head: headCalls(model, tokens),
    draftInput: draftInputCalls(model, tokens),
  }
}

/** Bytes of the weights that some kernels read: W of each GEMM. */
export const weightsOf = (calls: readonly KernelCall[]): Bytes =>
  bytes(
    calls.reduce((sum, { kernel }) => {
      if (kernel.kind !== 'gemm') return sum
      const { n, k, batch, dtype } = kernel.workload
      return sum + elementBytes(dtype) * batch * n * k
    }, 0),
  )

/** X and Z of a GEMM; the other kernels have no more than the GEMMs beside them. */
function operandBytes({ kernel }: KernelCall): number {
  if (kernel.kind !== 'gemm') return 0
  const { m, n, k, batch, dtype } = kernel.workload
  return elementBytes(dtype) * batch * m * (n + k)
}
