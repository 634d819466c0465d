import { elementBytes } from '#shared/workload/attention.ts'
import {
  kvBytesPerLayer,
  layersWithExperts,
  parameterCounts,
  type DecoderModel,
  type KvLayout,
} from '#shared/workload/decoder-model.ts'

/** Kernels of one kind in an iteration, on one GPU: what they compute and what they read. */
export interface RooflineKernel {
  readonly name: string
  readonly count: number
  /** Of one run. */
  readonly flops: number
  readonly weightBytes: number
  readonly cacheBytes: number
  /** Attention computes in BF16 whatever the cache is stored in. */
  readonly isAttention: boolean
}

export interface ClusterTokens {
  readonly batch: number
  readonly speculativeLength: number
  readonly kvLength: number
  readonly kvLayout: KvLayout
  /** Routed experts of a layer on the GPU that has most of them. */
  readonly localExperts: number
  readonly readsWholeEmbedding: boolean
}

/**
 * What one GPU does in an iteration, attention and dense parts replicated, experts shared.
 *
 *   GEMMs      2·r·P FLOPs, P weights       r = batch · speculative length, P parameters
 *   routed     2·r·k·P_e FLOPs, n·P_e       k experts of a token, n experts of the GPU, P_e parameters
 *   attention  2·r·L·H·(2·c + p) FLOPs absorbed, 4·r·L·H·d grouped; b·L·κ bytes of cache
 *
 * L  KV length    H  heads    c, p, d  latent, rope and head dimension    κ  bytes of a token in a layer
 * The weights are those that are stored: on GPUs the up-projections are absorbed head by head.
 *
 * Source: counting; parameters as in parameterCounts.
 * Leaves out: norms, rope, activations and sums, whose bytes stay in caches; MTP modules.
 * Checked by: test/published/cluster.test.ts
 */
export function clusterKernels(model: DecoderModel, tokens: ClusterTokens): RooflineKernel[] {
  const { batch, speculativeLength, kvLength, kvLayout, localExperts } = tokens
  const rows = batch * speculativeLength
  const element = elementBytes(model.dtype)
  const counts = parameterCounts(model)
  const moeLayers = layersWithExperts(model)
  const denseLayers = model.layers - moeLayers
  const gemm = (name: string, count: number, parameters: number): RooflineKernel => ({
    ...{ name, count, flops: 2 * rows * parameters, weightBytes: element * parameters },
    ...{ cacheBytes: 0, isAttention: false },
  })
  const { experts, hidden } = model
  const all: RooflineKernel[] = [
    gemm('attention-projections', model.layers, counts.attention),
    {
      ...{ name: 'attention', count: model.layers, weightBytes: 0, isAttention: true },
      flops: rows * kvLength * pairFlops(model),
      cacheBytes: batch * kvLength * kvBytesPerLayer(model, kvLayout),
    },
    gemm('dense-mlp', denseLayers, 3 * hidden * model.denseInner),
    gemm('shared-experts', moeLayers, experts.shared * counts.expert),
    gemm('router', moeLayers, hidden * experts.routed),
    {
      ...gemm('routed-experts', moeLayers, experts.topK * counts.expert),
      weightBytes: element * localExperts * counts.expert,
    },
    {
      ...gemm('embedding', 1, 0),
      weightBytes: element * (tokens.readsWholeEmbedding ? counts.embedding : rows * hidden),
    },
    gemm('head', 1, counts.embedding),
  ]
  return all.filter(({ count, flops, weightBytes }) => count > 0 && flops + weightBytes > 0)
}

/** FLOPs of one query row with one token of the cache, over all heads. */
function pairFlops({ attention }: DecoderModel): number {
  const { heads } = attention
  if (attention.kind === 'grouped') return 4 * heads * attention.headDim
  const { latentDim, ropeDim, nopeDim, valueDim, absorbed } = attention
  return absorbed
    ? 2 * heads * (2 * latentDim + ropeDim)
    : 2 * heads * (nopeDim + ropeDim + valueDim)
}
