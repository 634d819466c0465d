import { flops, type Flops } from '#shared/units/quantity.ts'

/** Heads with keys and values of their own, or shared by some. */
export interface GroupedHeads {
  readonly kind: 'grouped'
  readonly hidden: number
  readonly heads: number
  readonly kvHeads: number
  readonly headDim: number
}

/** One latent vector per token for keys and values of all heads, its up-projections absorbed. */
export interface LatentHeads {
  readonly kind: 'latent'
  readonly hidden: number
  readonly heads: number
  /** Of the compressed query. */
  readonly queryRank: number
  readonly latentDim: number
  readonly ropeDim: number
  readonly valueDim: number
}

/** A gated MLP, or the experts of which a token visits some. */
export interface FeedForward {
  readonly hidden: number
  readonly inner: number
  /** Shared experts and those that a token is routed to; 1 for a plain MLP. */
  readonly activeExperts: number
  /** Experts that the router chooses from; 0 without a router. */
  readonly routedExperts: number
}

/** One layer of a decoder. */
export interface DecoderLayer {
  readonly attention: GroupedHeads | LatentHeads
  readonly feedForward: FeedForward
}

/**
 * FLOPs of one token in the matrices of a layer, whatever the length of its context.
 *
 *   grouped   2 · (2·h·H·d + 2·h·G·d)
 *   latent    2 · (h·(r + c + p) + r·H·(c + p) + H·c·v + H·v·h)
 *   experts   2 · (3·h·f·E + h·R)
 *
 * h  hidden    H, G  query and KV heads    d  head dimension
 * r  query rank    c, p  latent and rope dimension    v  value dimension
 * f  inner dimension    E  active experts    R  routed experts
 *
 * Source: counting a multiply and an add for each weight that a token meets; DeepSeek-V2
 *   (arXiv 2405.04434), Section 2.1, for the absorbed projections.
 * Leaves out: norms, rotations, activations and the softmax.
 * Checked by: the validation set fig1-flops-decode.
 */
export function projectionFlops({ attention, feedForward }: DecoderLayer): Flops {
  const { hidden, inner, activeExperts, routedExperts } = feedForward
  const experts = 3 * hidden * inner * activeExperts + hidden * routedExperts
  return flops(2 * (attentionWeights(attention) + experts))
}

function attentionWeights(attention: GroupedHeads | LatentHeads): number {
  const { hidden, heads } = attention
  if (attention.kind === 'grouped') {
    return 2 * hidden * attention.headDim * (heads + attention.kvHeads)
  }
  const { queryRank, latentDim, ropeDim, valueDim } = attention
  return (
    hidden * (queryRank + latentDim + ropeDim) +
    queryRank * heads * (latentDim + ropeDim) +
    heads * latentDim * valueDim +
    heads * valueDim * hidden
  )
}

/**
 * FLOPs of one token in the scores and the output of attention over `kvLength` tokens.
 *
 *   grouped   4 · H · d · L          latent   2 · H · (2·c + p) · L
 *
 * Symbols as above; L is kvLength. Each query head meets each key, whoever shares it.
 */
export function contextFlops(attention: GroupedHeads | LatentHeads, kvLength: number): Flops {
  const perKey =
    attention.kind === 'grouped'
      ? 2 * attention.headDim
      : 2 * attention.latentDim + attention.ropeDim
  return flops(2 * attention.heads * perKey * kvLength)
}

/** Share of scores and output in the FLOPs of a layer; the same for any batch and speculation. */
export function attentionShare(layer: DecoderLayer, kvLength: number): number {
  const context = contextFlops(layer.attention, kvLength)
  return context / (context + projectionFlops(layer))
}
