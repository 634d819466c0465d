import { bytes, flops, type Bytes, type Flops } from '#shared/units/quantity.ts'

export type AttentionVariant = 'mha' | 'gqa' | 'mqa' | 'mla'
export type Phase = 'prefill' | 'decode'
export type DataType = 'fp16' | 'fp8'

/**
 * One attention layer: softmax(Q·Kᵀ/√d)·V for every sequence and head.
 *
 * Q is batch × heads × queryRows × headDim, K and V are batch × kvHeads × kvLength × headDim.
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
}

/** Bytes of one element. */
export const elementBytes = (dtype: DataType): Bytes => bytes(dtype === 'fp16' ? 2 : 1)

/** Independent head jobs: one for each sequence and KV head. */
export const headJobs = (workload: Pick<AttentionWorkload, 'batch' | 'kvHeads'>): number =>
  workload.batch * workload.kvHeads

/** Query positions of one sequence: the prompt, or one token with its speculated successors. */
export const queryPositions = (
  workload: Pick<AttentionWorkload, 'queryLength' | 'speculativeLength'>,
): number => workload.queryLength * workload.speculativeLength

/** Query rows of one head job: the query heads that share a KV head are stacked. */
export const queryRows = (
  workload: Pick<AttentionWorkload, 'queryLength' | 'speculativeLength' | 'heads' | 'kvHeads'>,
): number => queryPositions(workload) * (workload.heads / workload.kvHeads)

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
 * FLOPs that the result needs: 2·d for a score and 2·d for its share of the output,
 * for each unmasked pair of positions, query head and sequence. The softmax is not counted.
 */
export function usefulFlops(workload: AttentionWorkload): Flops {
  const queries = queryPositions(workload)
  const pairs = workload.causal
    ? causalPairs(queries, workload.kvLength)
    : queries * workload.kvLength
  return flops(4 * workload.headDim * pairs * workload.heads * workload.batch)
}

/** Bytes of Q, K, V and O, each touched once: the least that any dataflow moves. */
export function compulsoryBytes(workload: AttentionWorkload): Bytes {
  const perJob = 2 * workload.headDim * (queryRows(workload) + workload.kvLength)
  return bytes(elementBytes(workload.dtype) * headJobs(workload) * perJob)
}
