import { bytes, flops, type Bytes, type Flops } from '#shared/units/quantity.ts'

export type AttentionVariant = 'mha' | 'gqa' | 'mqa' | 'mla'
export type Phase = 'prefill' | 'decode'
export type DataType = 'fp16' | 'fp8'

/** Head dimensions of multi-head latent attention. */
export interface LatentDimensions {
  /** Latent vector that stands for keys and values of all heads. */
  readonly latentDim: number
  /** Part of queries and keys that carries the position, shared by all heads. */
  readonly ropeDim: number
  /** Part of a head's queries and keys without position. */
  readonly nopeDim: number
  /** Of a head's values and output. */
  readonly valueDim: number
}

/** Those of DeepSeek-V2 and -V3. Source: their public model configurations. */
export const deepSeekDimensions: LatentDimensions = {
  latentDim: 512,
  ropeDim: 64,
  nopeDim: 128,
  valueDim: 128,
}

/**
 * One attention layer: softmax(Q·Kᵀ/√d)·V for every sequence and head.
 *
 * Q is batch × heads × queryRows × headDim, K and V are batch × kvHeads × kvLength × headDim; for
 * MLA see `headDimensions`.
 */
export interface AttentionWorkload {
  readonly variant: AttentionVariant
  readonly phase: Phase
  readonly batch: number
  readonly heads: number
  readonly kvHeads: number
  readonly headDim: number
  readonly queryLength: number
  readonly kvLength: number
  readonly speculativeLength: number
  /** Bottom-right aligned: the last query row sees the whole of KV. */
  readonly causal: boolean
  readonly dtype: DataType
  /** Of MLA; what is missing is that of DeepSeek. */
  readonly latentDim?: number | undefined
  readonly ropeDim?: number | undefined
  readonly nopeDim?: number | undefined
  readonly valueDim?: number | undefined
}

/** The dimensions of an MLA layer, those of DeepSeek where it names none. */
export const latentDimensions = (workload: AttentionWorkload): LatentDimensions => ({
  latentDim: workload.latentDim ?? deepSeekDimensions.latentDim,
  ropeDim: workload.ropeDim ?? deepSeekDimensions.ropeDim,
  nopeDim: workload.nopeDim ?? deepSeekDimensions.nopeDim,
  valueDim: workload.valueDim ?? deepSeekDimensions.valueDim,
})

/**
 * Whether the up-projections of K and V are absorbed into those of Q and O, as decode of MLA does:
 * all query heads then share one latent vector per token, which is K and V at once.
 */
export const isAbsorbed = (workload: Pick<AttentionWorkload, 'variant' | 'phase'>): boolean =>
  workload.variant === 'mla' && workload.phase === 'decode'

/** Lengths of the vectors that a score and an output element are products of. */
export interface HeadDimensions {
  /** Of a query and a key. */
  readonly score: number
  /** Of a value and an output row. */
  readonly value: number
}

/**
 * Head dimensions of a kernel.
 *
 *   MHA, GQA, MQA   headDim for both
 *   MLA, prefill    score nope + rope, value valueDim, for every head: (192, 128) for DeepSeek
 *   MLA, decode     score latent + rope, value latent, shared by all heads: (576, 512)
 *
 * Source: DeepSeek-V2 (arXiv 2405.04434), Section 2.1 and its Appendix on absorption.
 */
export function headDimensions(workload: AttentionWorkload): HeadDimensions {
  if (workload.variant !== 'mla') return { score: workload.headDim, value: workload.headDim }
  const { latentDim, ropeDim, nopeDim, valueDim } = latentDimensions(workload)
  return isAbsorbed(workload)
    ? { score: latentDim + ropeDim, value: latentDim }
    : { score: nopeDim + ropeDim, value: valueDim }
}

type HeadCounts = Pick<AttentionWorkload, 'variant' | 'phase' | 'heads' | 'kvHeads'>

/** KV heads of a sequence: one latent where absorbed, one for each head in prefill of MLA. */
export function sharedHeads({ variant, phase, heads, kvHeads }: HeadCounts): number {
  if (variant !== 'mla') return kvHeads
  return isAbsorbed({ variant, phase }) ? 1 : heads
}

/** Bytes of one element. */
export const elementBytes = (dtype: DataType): Bytes => bytes(dtype === 'fp16' ? 2 : 1)

/** Independent head jobs: one for each sequence and KV head. */
export const headJobs = (workload: HeadCounts & Pick<AttentionWorkload, 'batch'>): number =>
  workload.batch * sharedHeads(workload)

/** Query positions of one sequence: the prompt, or one token with its speculated successors. */
export const queryPositions = (
  workload: Pick<AttentionWorkload, 'queryLength' | 'speculativeLength'>,
): number => workload.queryLength * workload.speculativeLength

/** Query rows of one head job: the query heads that share a KV head are stacked. */
export const queryRows = (
  workload: HeadCounts & Pick<AttentionWorkload, 'queryLength' | 'speculativeLength'>,
): number => queryPositions(workload) * (workload.heads / sharedHeads(workload))

/**
 * Pairs of query and key positions that a causal mask leaves, aligned at the bottom right:
 * query row i of q sees the keys up to i + (k − q).
 *
 *   q ≤ k:  q·k − q(q−1)/2        q > k:  k(k+1)/2
 *
 * Source: counting; the alignment is the convention of serving (decode, chunked prefill).
 */
export function causalPairs(queries: number, keys: number): number {
  return queries <= keys ? queries * keys - (queries * (queries - 1)) / 2 : (keys * (keys + 1)) / 2
}

/**
 * FLOPs that the result needs: 2·d_k for a score and 2·d_v for its share of the output, for each
 * unmasked pair of positions, query head and sequence. The softmax is not counted.
 */
export function usefulFlops(workload: AttentionWorkload): Flops {
  const queries = queryPositions(workload)
  const pairs = workload.causal
    ? causalPairs(queries, workload.kvLength)
    : queries * workload.kvLength
  const { score, value } = headDimensions(workload)
  return flops(2 * (score + value) * pairs * workload.heads * workload.batch)
}

/** Bytes of K and V of one token and layer: MLA keeps the latent vector and the rope part. */
export function keyValueBytesPerToken(workload: AttentionWorkload): Bytes {
  const { latentDim, ropeDim } = latentDimensions(workload)
  const elements =
    workload.variant === 'mla' ? latentDim + ropeDim : 2 * workload.kvHeads * workload.headDim
  return bytes(elementBytes(workload.dtype) * elements)
}

/**
 * Bytes of Q, K, V and O, each touched once: the least that any dataflow moves. Where the
 * projections are absorbed, K and V are one; in prefill of MLA they are those of every head. Queries
 * that a causal mask leaves without a key are not needed, but their output is.
 */
export function compulsoryBytes(workload: AttentionWorkload): Bytes {
  const { variant, phase, batch, heads, kvLength } = workload
  const { score, value } = headDimensions(workload)
  const element = elementBytes(workload.dtype)
  const token =
    variant === 'mla' && phase === 'prefill'
      ? element * heads * (score + value)
      : keyValueBytesPerToken(workload)
  const rows = queryRows(workload)
  const positions = queryPositions(workload)
  const seeing = workload.causal ? Math.min(positions, kvLength) : positions
  const ofJob = (rows / positions) * seeing * score + rows * value
  return bytes(element * headJobs(workload) * ofJob + batch * kvLength * token)
}
