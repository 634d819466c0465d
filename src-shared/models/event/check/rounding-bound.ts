import {
  arithmetics,
  type Arithmetic,
  type Precision,
} from '#shared/models/event/check/arithmetic.ts'
import { LARGEST_VALUE } from '#shared/models/event/check/attention-tensors.ts'
import { underflowError, unitRoundoff } from '#shared/models/event/check/number-format.ts'

/** What the error of a kernel depends on. */
export interface RoundingShape {
  readonly headDim: number
  /** Keys that a query sees at most. */
  readonly kvLength: number
  /** Column blocks of a row block at most. */
  readonly columnBlocks: number
  /** Tiles whose sums are added up. */
  readonly groupX: number
  /** Largest magnitude of a score Q·Kᵀ/√d. */
  readonly largestScore: number
  /** Chunks of the contraction of a score, each added and rounded: 1 where there are none. */
  readonly scoreChunks?: number
  /** Roundings of an exponential: 2 where it is divided by the sum before it is used. */
  readonly probabilityRoundings?: number
}

/** The parts of the bound, for its explanation. */
export interface RoundingBound {
  readonly bound: number
  readonly roundings: number
  readonly relative: number
  readonly underflow: number
}

/** In double precision every result is to be within this, relative to its row of O. */
export const FP64_BOUND = 1e-9

/**
 * How far O of a kernel that rounds each result of each operation can be from exact attention on the
 * same operands.
 *
 *   E = V · ((e^ε + ω) / (e^−ε − ω) − 1) + uₒ·2V + aₒ
 *   ε = u·(4 + C + 4u)·S + C·a/√d + R·ũₚ + ũ·(3T + G + 1)
 *   ω = R·L·aₚ/σ + a·(T·L + 2T + G)
 *
 * C is the number of chunks of a score, R that of roundings of an exponential.
 * S is the largest score of the operands, or sum of some of its products, at most √d·|q|·|k| (Cauchy-Schwarz), u and a are the
 * largest relative and underflow errors of one rounding of the working format (index p: of the
 * exponentials, kept times σ; o: of the stored O), ũ = u / (1 − u), d the head dimension, L keys, T
 * column blocks, G tiles of a row, V the largest value.
 *
 * Derivation. O is N / D, a sum of weights times values over the sum of the weights. A score is off
 * by u·S and a/√d, its difference to the row maximum by u·(2 + 2u)·S, so the weight by the factor
 * e^±(these), and by one more rounding where it is stored. Factors between blocks are exponentials of
 * differences of row maxima, which only grow, by at most 2·(1 + u)·S in all: their errors add up to
 * u·(2 + 2u)·S however many blocks there are. In each block O and the sum are multiplied by a rounded
 * factor, rounded, and rounded when the block is added: 3T roundings. The sum over a tile, the G − 1
 * additions over the row and the division are G + 1 at most. So N is off by e^±ε of the weights times
 * V, and D by e^±ε. Numbers below the normal ones are off by a or aₚ instead: L weights, T·L through
 * factors, 2T + G through sums. D is at least the weight of the largest score, which is 1 up to a
 * part of ε. With no more than 2V between two means of values, the bound says nothing, and it is
 * given as 2V.
 *
 * Holds when: nothing overflows: d·|q|·|k| and L·max(1, V) within the working format.
 * Source: the standard model of floating-point arithmetic (Higham, Accuracy and Stability of
 *   Numerical Algorithms, 2nd ed., Section 2.2, with underflow as in (2.8)).
 * Checked by: test/src-shared/models/event/check/rounding-bound.test.ts, and every checked kernel.
 */
export function roundingBound(shape: RoundingShape, arithmetic: Arithmetic): RoundingBound {
  const { headDim, kvLength, columnBlocks, groupX, largestScore } = shape
  const { scoreChunks = 1, probabilityRoundings = 1 } = shape
  const { working, probability, probabilityScale, output } = arithmetic
  const u = unitRoundoff(working)
  const a = underflowError(working)
  const each = (roundoff: number) => roundoff / (1 - roundoff)
  const roundings = 3 * columnBlocks + groupX + 1
  const relative =
    u * (4 + scoreChunks + 4 * u) * largestScore +
    (scoreChunks * a) / Math.sqrt(headDim) +
    probabilityRoundings * each(unitRoundoff(probability)) +
    each(u) * roundings
  const underflow =
    (probabilityRoundings * kvLength * underflowError(probability)) / probabilityScale +
    a * (columnBlocks * kvLength + 2 * columnBlocks + groupX)
  const least = Math.exp(-relative) - underflow
  const most = Math.exp(relative) + underflow
  const computed = least > 0 ? LARGEST_VALUE * (most / least - 1) : Infinity
  const stored = 2 * LARGEST_VALUE * unitRoundoff(output) + underflowError(output)
  return {
    bound: Math.min(2 * LARGEST_VALUE, computed + stored),
    roundings,
    relative,
    underflow,
  }
}

/** The bound of a precision and what it is on: in double precision a relative one that is asked for. */
export function checkBound(
  shape: RoundingShape,
  precision: Precision,
): { readonly bound: number; readonly on: 'largestRelative' | 'largestAbsolute' } {
  if (precision === 'fp64') return { bound: FP64_BOUND, on: 'largestRelative' }
  const { bound } = roundingBound(shape, arithmetics[precision])
  return { bound, on: 'largestAbsolute' }
}
