import { randomAt } from '#shared/base/prng.ts'
import type { Arithmetic } from '#shared/models/event/check/arithmetic.ts'
import { roundTo } from '#shared/models/event/check/number-format.ts'
import { queryPositions, type AttentionWorkload } from '#shared/workload/attention.ts'

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
  2 *
  workload.batch *
  workload.headDim *
  (workload.heads * queryPositions(workload) + workload.kvHeads * workload.kvLength)

/** Evenly distributed pseudo-random numbers, rounded to the format of the operands. */
export function randomTensors(
  workload: AttentionWorkload,
  seed: number,
  { operand }: Arithmetic,
): AttentionTensors {
  const { batch, heads, kvHeads, headDim, kvLength } = workload
  let index = 0
  const tensor = (rows: number, largest: number) =>
    Float64Array.from({ length: batch * rows * headDim }, () =>
      roundTo((2 * randomAt(seed, index++) - 1) * largest, operand),
    )
  return {
    query: tensor(heads * queryPositions(workload), LARGEST_QUERY),
    key: tensor(kvHeads * kvLength, LARGEST_KEY),
    value: tensor(kvHeads * kvLength, LARGEST_VALUE),
  }
}
