import { roundProbability, type Arithmetic } from '#shared/models/event/check/arithmetic.ts'
import { roundTo, type NumberFormat } from '#shared/models/event/check/number-format.ts'

/** Rows × columns, row by row. */
export type Block = Float64Array

/** C ← C + A · B, with one rounding of each element. A is rows × inner, B inner × columns. */
export function addProduct(
  target: Block,
  left: Block,
  right: Block,
  size: { readonly rows: number; readonly inner: number; readonly columns: number },
  format: NumberFormat,
): void {
  const { rows, inner, columns } = size
  const sums = new Float64Array(columns)
  for (let row = 0; row < rows; row++) {
    sums.fill(0)
    for (let step = 0; step < inner; step++) {
      const factor = left[row * inner + step] ?? NaN
      const from = step * columns
      for (let column = 0; column < columns; column++) {
        sums[column] = (sums[column] ?? NaN) + factor * (right[from + column] ?? NaN)
      }
    }
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column
      target[at] = roundTo((target[at] ?? NaN) + (sums[column] ?? NaN), format)
    }
  }
}

/** The transpose of a block of rows × columns. */
export function transposed(block: Block, rows: number, columns: number): Block {
  const result = new Float64Array(block.length)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      result[column * rows + row] = block[row * columns + column] ?? NaN
    }
  }
  return result
}

/**
 * Scores that a row does not see become −∞.
 *
 * @param seen of the block's columns, how many a row sees: those from the left
 */
export function maskScores(
  scores: Block,
  rows: number,
  columns: number,
  seen: (row: number) => number,
): void {
  for (let row = 0; row < rows; row++) {
    const first = Math.min(columns, Math.max(0, seen(row)))
    scores.fill(-Infinity, row * columns + first, (row + 1) * columns)
  }
}

/** The largest score of each row, or what `before` has where that is larger; no format: it is exact. */
export function rowMaxima(target: Block, scores: Block, before: Block | undefined): void {
  const columns = scores.length / target.length
  for (let row = 0; row < target.length; row++) {
    let maximum = before === undefined ? -Infinity : (before[row] ?? NaN)
    for (let column = 0; column < columns; column++) {
      maximum = Math.max(maximum, scores[row * columns + column] ?? NaN)
    }
    target[row] = maximum
  }
}

/** e^(scale · (score − maximum)), and 0 for what is masked. */
function exponential(score: number, maximum: number, scale: number, format: NumberFormat): number {
  if (score === -Infinity) return 0
  return Math.exp(scale * roundTo(score - maximum, format))
}

/** Scores become exponentials, and their sum over each row is taken. */
export function exponentiate(
  scores: Block,
  maxima: Block,
  sums: Block,
  scale: number,
  arithmetic: Arithmetic,
): void {
  const columns = scores.length / maxima.length
  for (let row = 0; row < maxima.length; row++) {
    let sum = 0
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column
      const exact = exponential(scores[at] ?? NaN, maxima[row] ?? NaN, scale, arithmetic.working)
      const kept = roundProbability(exact, arithmetic)
      scores[at] = kept
      sum += kept
    }
    sums[row] = roundTo(sum, arithmetic.working)
  }
}

/** The sum of each row. */
export function sumRows(target: Block, block: Block, format: NumberFormat): void {
  const columns = block.length / target.length
  for (let row = 0; row < target.length; row++) {
    let sum = 0
    for (let column = 0; column < columns; column++) sum += block[row * columns + column] ?? NaN
    target[row] = roundTo(sum, format)
  }
}

/** By how much what was computed with the maxima before shrinks with the new ones. */
export function rescaleFactors(
  target: Block,
  before: Block,
  maxima: Block,
  scale: number,
  format: NumberFormat,
): void {
  for (let row = 0; row < target.length; row++) {
    const factor = exponential(before[row] ?? NaN, maxima[row] ?? NaN, scale, format)
    target[row] = roundTo(factor, format)
  }
}

/** Every element of a row times the factor of the row. */
export function scaleRows(block: Block, factors: Block, format: NumberFormat): void {
  const columns = block.length / factors.length
  for (let at = 0; at < block.length; at++) {
    const factor = factors[Math.floor(at / columns)] ?? NaN
    block[at] = roundTo((block[at] ?? NaN) * factor, format)
  }
}

/** Every element over the sum of its row; rows that have seen nothing are 0. */
export function divideRows(block: Block, sums: Block, format: NumberFormat): void {
  const columns = block.length / sums.length
  for (let at = 0; at < block.length; at++) {
    const sum = sums[Math.floor(at / columns)] ?? NaN
    block[at] = sum === 0 ? 0 : roundTo((block[at] ?? NaN) / sum, format)
  }
}

export function addTo(target: Block, other: Block, format: NumberFormat): void {
  for (let at = 0; at < target.length; at++) {
    target[at] = roundTo((target[at] ?? NaN) + (other[at] ?? NaN), format)
  }
}

export function maximumWith(target: Block, other: Block): void {
  for (let at = 0; at < target.length; at++) {
    target[at] = Math.max(target[at] ?? NaN, other[at] ?? NaN)
  }
}
