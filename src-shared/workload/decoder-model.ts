import { bytes, type Bytes } from '#shared/units/quantity.ts'
import { elementBytes, type DataType } from '#shared/workload/attention.ts'

/** Heads with keys and values of their own, or shared by some. */
export interface GroupedAttention {
  readonly kind: 'grouped'
  readonly heads: number
  readonly kvHeads: number
  readonly headDim: number
}

/** One latent vector per token for keys and values of all heads. */
export interface LatentAttention {
  readonly kind: 'latent'
  readonly heads: number
  /** Of the compressed query. */
  readonly queryRank: number
  readonly latentDim: number
  readonly ropeDim: number
  readonly nopeDim: number
  readonly valueDim: number
  /** Whether decode works on the latent, the up-projections being part of those of Q and O. */
  readonly absorbed: boolean
}

export interface Experts {
  /** 0 where all layers are dense. */
  readonly routed: number
  readonly shared: number
  /** Routed experts that a token goes to. */
  readonly topK: number
  readonly inner: number
}

/** A decoder: its first layers have a plain gated MLP, the others experts. */
export interface DecoderModel {
  readonly layers: number
  readonly hidden: number
  readonly vocabulary: number
  /** Whether the head has a matrix of its own, or that of the embedding. */
  readonly untiedHead: boolean
  readonly attention: GroupedAttention | LatentAttention
  readonly denseLayers: number
  readonly denseInner: number
  readonly experts: Experts
  /** Modules that predict further tokens, each a layer with a projection in front. */
  readonly mtpModules: number
  /** Longest sequence that the model was made for. */
  readonly maxLength: number
  readonly dtype: DataType
}

/** How a token of the KV cache is stored. */
export type KvLayout = 'fp8' | 'fp8-packed' | 'bf16' | 'int4'

/** Parameters of a model, by part. */
export interface ParameterCounts {
  /** Projections of one attention, without its norms. */
  readonly attention: number
  readonly norms: number
  readonly expert: number
  /** Of all layers with experts together. */
  readonly routedExperts: number
  readonly sharedExperts: number
  readonly routers: number
  /** One per routed expert: the correction of the balance. */
  readonly routerBiases: number
  readonly denseMlps: number
  readonly embedding: number
  readonly head: number
  readonly total: number
  /** Those that one token meets, without embedding and head. */
  readonly active: number
  readonly activeWithHead: number
  readonly activeWithBoth: number
}

/**
 * Counts the parameters of a model as its authors store them: not absorbed, without MTP modules.
 *
 *   latent attention   h·(r + c + p) + r·H·(n + p) + c·H·(n + v) + H·v·h
 *   grouped attention  2·h·d·(H + G)
 *   expert             3·h·f      router  h·R, biases R      dense MLP  3·h·F
 *
 * h  hidden    r, c  query and latent rank    p, n, v, d  rope, nope, value, head dimension
 * H, G  query and KV heads    f, F  inner dimension of an expert, of a dense MLP    R  routed experts
 * Active: the shared and topK routed experts of each layer; biases are not counted there.
 *
 * Source: public configuration and weights of DeepSeek-V3 (671,026,419,200 parameters).
 * Holds when: projections have no biases.
 * Checked by: test/src-shared/workload/decoder-model.test.ts
 */
export function parameterCounts(model: DecoderModel): ParameterCounts {
  const { layers, hidden, vocabulary, experts, denseInner } = model
  const moeLayers = layersWithExperts(model)
  const attention = attentionParameters(model)
  const norms = layers * (2 * hidden + latentNorms(model)) + hidden
  const expert = 3 * hidden * experts.inner
  const routedExperts = moeLayers * experts.routed * expert
  const sharedExperts = moeLayers * experts.shared * expert
  const routers = moeLayers * hidden * experts.routed
  const routerBiases = moeLayers * experts.routed
  const denseMlps = (layers - moeLayers) * 3 * hidden * denseInner
  const embedding = vocabulary * hidden
  const head = model.untiedHead ? embedding : 0
  const common = layers * attention + norms + sharedExperts + routers + denseMlps
  const active = common + moeLayers * experts.topK * expert
  return {
    ...{ attention, norms, expert, routedExperts, sharedExperts, routers, routerBiases },
    ...{ denseMlps, embedding, head },
    total: common + routedExperts + routerBiases + embedding + head,
    active,
    activeWithHead: active + embedding,
    activeWithBoth: active + embedding + head,
  }
}

export const layersWithExperts = ({ layers, denseLayers, experts }: DecoderModel): number =>
  experts.routed === 0 ? 0 : layers - denseLayers

function attentionParameters({ hidden, attention }: DecoderModel): number {
  const { heads } = attention
  if (attention.kind === 'grouped') {
    return 2 * hidden * attention.headDim * (heads + attention.kvHeads)
  }
  const { queryRank, latentDim, ropeDim, nopeDim, valueDim } = attention
  return (
    hidden * (queryRank + latentDim + ropeDim) +
    queryRank * heads * (nopeDim + ropeDim) +
    latentDim * heads * (nopeDim + valueDim) +
    heads * valueDim * hidden
  )
}

const latentNorms = ({ attention }: DecoderModel): number =>
  attention.kind === 'latent' ? attention.queryRank + attention.latentDim : 0

/** Scales of the packed layout: one of four bytes for 128 elements of the latent. */
const PACKED = { block: 128, scaleBytes: 4, ropeBytes: 2 } as const

/**
 * Bytes of the KV cache of one token in one layer.
 *
 *   latent   fp8  c + p        fp8-packed  c + 4·⌈c/128⌉ + 2·p        bf16  2·(c + p)
 *   int4     (c + p) / 2, without scales
 *   grouped  the same with c = 2·G·d and p = 0
 *
 * There is no factor of heads in a latent cache, and it does not shrink where heads are split.
 *
 * Source: DeepSeek-V2 (arXiv 2405.04434), Section 2.1; the packed layout is that of the public
 *   FlashMLA kernels (656 bytes for DeepSeek).
 * Checked by: test/src-shared/workload/decoder-model.test.ts: 35,136 and 70,272 bytes over 61 layers
 */
export function kvBytesPerLayer({ attention }: DecoderModel, layout: KvLayout): Bytes {
  const content =
    attention.kind === 'latent' ? attention.latentDim : 2 * attention.kvHeads * attention.headDim
  const rope = attention.kind === 'latent' ? attention.ropeDim : 0
  switch (layout) {
    case 'fp8':
      return bytes(content + rope)
    case 'fp8-packed':
      return bytes(
        content + PACKED.scaleBytes * Math.ceil(content / PACKED.block) + PACKED.ropeBytes * rope,
      )
    case 'int4':
      return bytes((content + rope) / 2)
    case 'bf16':
      return bytes(elementBytes('fp16') * (content + rope))
  }
}
