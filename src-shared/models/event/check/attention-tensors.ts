import { randomAt } from '#shared/base/prng.ts'
import type { Arithmetic } from '#shared/models/event/check/arithmetic.ts'
import { roundTo } from '#shared/models/event/check/number-format.ts'
import {
  headDimensions,
  isAbsorbed,
  queryPositions,
  sharedHeads,
  type AttentionWorkload,
} from '#shared/workload/attention.ts'

/** Magnitudes below which Q, K and V lie: the scores then spread over a few units. */
export const LARGEST_QUERY = 3
export const LARGEST_KEY = 1
export const LARGEST_VALUE = 1

/** Q, K and V of a workload, as they lie in memory: [sequence][head][position][element]. */
export interface AttentionTensors {
  readonly query: Float64Array
  readonly key: Float64Array
  readonly value: Float64Array
}

/** Elements of the four tensors, with O. */
export const tensorElements = (workload: AttentionWorkload): number =>
  workload.batch *
  (headDimensions(workload).score + headDimensions(workload).value) *
  (workload.heads * queryPositions(workload) + sharedHeads(workload) * workload.kvLength)

/**
 * Evenly distributed pseudo-random numbers, rounded to the format of the operands. Where MLA is
 * absorbed, V is the latent part of K.
 */
export function randomTensors(
  workload: AttentionWorkload,
  seed: number,
  { operand }: Arithmetic,
): AttentionTensors {
  const { batch, heads, kvLength } = workload
  const { score, value } = headDimensions(workload)
  const keyRows = sharedHeads(workload) * kvLength
  let index = 0
  const tensor = (rows: number, width: number, largest: number) =>
    Float64Array.from({ length: batch * rows * width }, () =>
      roundTo((2 * randomAt(seed, index++) - 1) * largest, operand),
    )
  const query = tensor(heads * queryPositions(workload), score, LARGEST_QUERY)
  const key = tensor(keyRows, score, LARGEST_KEY)
  const latent = (_: unknown, index: number) =>
    key[Math.floor(index / value) * score + (index % value)] ?? NaN
  return {
    query,
    key,
    value: isAbsorbed(workload)
      ? Float64Array.from({ length: batch * keyRows * value }, latent)
      : tensor(keyRows, value, LARGEST_VALUE),
  }
}
