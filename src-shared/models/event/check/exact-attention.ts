import type { AttentionTensors } from '#shared/models/event/check/attention-tensors.ts'
import {
  headDimensions,
  queryPositions,
  sharedHeads,
  type AttentionWorkload,
} from '#shared/workload/attention.ts'

export interface ExactOutput {
  /** O as [sequence][head][position][element]. */
  readonly output: Float64Array
  /** Largest magnitude of a score that a query sees. */
  readonly largestScore: number
  /** The same of the sum of the first products of a score, as many as there may be. */
  readonly largestPart: number
}

/**
 * softmax(Q·Kᵀ/√d)·V in double precision, one query at a time and without blocks: what the programs
 * are held against. It shares nothing with them but the layout of the tensors.
 *
 * A causal query at position i of q sees the keys up to i + (kv − q); one that sees none gives 0.
 *
 * @returns by `return`; yields the share that is done
 */
export function* exactAttention(
  workload: AttentionWorkload,
  { query, key, value }: AttentionTensors,
): Generator<number, ExactOutput, void> {
  const { batch, heads, kvLength, causal } = workload
  const { score: width, value: headDim } = headDimensions(workload)
  const kvHeads = sharedHeads(workload)
  const positions = queryPositions(workload)
  const output = new Float64Array(batch * heads * positions * headDim)
  const queries = batch * heads * positions
  let largestScore = 0
  let largestPart = 0
  for (let row = 0; row < queries; row++) {
    const position = row % positions
    const head = Math.floor(row / positions) % heads
    const sequence = Math.floor(row / (positions * heads))
    const kvHead = Math.floor(head / (heads / kvHeads))
    const firstKey = (sequence * kvHeads + kvHead) * kvLength
    const seen = causal ? position + 1 + kvLength - positions : kvLength
    const own = query.subarray(row * width, (row + 1) * width)
    const weights: number[] = []
    for (let index = 0; index < seen; index++) {
      const { sum, largest } = dot(own, key, (firstKey + index) * width)
      const score = sum / Math.sqrt(width)
      largestPart = Math.max(largestPart, largest / Math.sqrt(width))
      largestScore = Math.max(largestScore, Math.abs(score))
      weights.push(score)
    }
    const largest = weights.reduce((maximum, score) => Math.max(maximum, score), -Infinity)
    let sum = 0
    weights.forEach((score, index) => {
      const weight = Math.exp(score - largest)
      sum += weight
      const from = (firstKey + index) * headDim
      for (let element = 0; element < headDim; element++) {
        const at = row * headDim + element
        output[at] = (output[at] ?? NaN) + weight * (value[from + element] ?? NaN)
      }
    })
    if (sum > 0) {
      for (let at = row * headDim; at < (row + 1) * headDim; at++) {
        output[at] = (output[at] ?? NaN) / sum
      }
    }
    yield (row + 1) / queries
  }
  return { output, largestScore, largestPart }
}

/** The inner product, and the largest magnitude on the way to it. */
function dot(left: Float64Array, right: Float64Array, from: number) {
  let sum = 0
  let largest = 0
  for (let index = 0; index < left.length; index++) {
    sum += (left[index] ?? NaN) * (right[from + index] ?? NaN)
    largest = Math.max(largest, Math.abs(sum))
  }
  return { sum, largest }
}
