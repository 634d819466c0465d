import type { Block } from '#shared/models/event/check/block-arithmetic.ts'
import type { SequenceBuffers } from '#shared/models/event/check/latent-buffers.ts'
import { roundTo, type NumberFormat } from '#shared/models/event/check/number-format.ts'

/** The finished result of a tile for its part of KV; O is divided by the sums already. */
export interface PartialResult {
  readonly maxima: Block
  readonly sums: Block
  readonly outputs: readonly Block[]
}

/**
 * Combines the results of two tiles that split KV, in place of the first:
 *
 *   m = max(m₁, m₂)   w = l·e^((mᵢ − m)·s)   l = w₁ + w₂   O = (O₁·w₁ + O₂·w₂) / l
 *
 * Rows for which neither has a key stay as they are.
 *
 * @param scale s, of the scores
 */
export function mergeState(
  own: PartialResult,
  other: Pick<SequenceBuffers, 'carriedMaximum' | 'carriedSum' | 'output'>,
  scale: number,
  format: NumberFormat,
): void {
  const weight = (sum: number, maximum: number, largest: number) =>
    sum === 0 ? 0 : roundTo(sum * Math.exp(scale * roundTo(maximum - largest, format)), format)
  for (let row = 0; row < own.maxima.length; row++) {
    const maximum = own.maxima[row] ?? NaN
    const otherMaximum = other.carriedMaximum.values[row] ?? NaN
    const largest = Math.max(maximum, otherMaximum)
    const mine = weight(own.sums[row] ?? NaN, maximum, largest)
    const theirs = weight(other.carriedSum.values[row] ?? NaN, otherMaximum, largest)
    const total = roundTo(mine + theirs, format)
    own.maxima[row] = largest
    own.sums[row] = total
    if (total === 0) continue
    const [share, otherShare] = [roundTo(mine / total, format), roundTo(theirs / total, format)]
    own.outputs.forEach((block, chunk) => {
      const values = other.output[chunk]?.values ?? block
      const width = block.length / own.maxima.length
      for (let at = row * width; at < (row + 1) * width; at++) {
        const [first, second] = [block[at] ?? NaN, values[at] ?? NaN]
        block[at] = roundTo(first * share + second * otherShare, format)
      }
    })
  }
}
