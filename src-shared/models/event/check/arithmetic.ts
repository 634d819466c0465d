import {
  FLOAT16,
  FLOAT64,
  FLOAT8_E4M3,
  roundTo,
  type NumberFormat,
} from '#shared/models/event/check/number-format.ts'

export const precisions = ['fp64', 'fp16', 'fp8'] as const

export type Precision = (typeof precisions)[number]

/** Which format the numbers of a kernel have, and so where they are rounded. */
export interface Arithmetic {
  /** Q, K and V in memory. */
  readonly operand: NumberFormat
  /** The exponentials, which are the left operand of P · V. */
  readonly probability: NumberFormat
  /** Exponentials are at most 1; they are kept times this power of two, to use the range of FP8. */
  readonly probabilityScale: number
  /** Scores, row maxima, row sums, factors, and O while it grows. */
  readonly working: NumberFormat
  /** O in memory. */
  readonly output: NumberFormat
}

/**
 * Each operation of a program (a matrix operation, a step of the softmax, one addition of a
 * reduction) rounds each element of its result once; inside, sums of products are wide.
 *
 * FP16: all is FP16. FP8: Q, K, V, the exponentials and the stored O are E4M3; scores, row maxima,
 * row sums and the growing O are FP16, as a matrix engine with 8-bit operands gives them. The
 * exponentials are kept times 2⁸ ≤ 448, which costs nothing, since the exponent's argument is moved.
 *
 * Leaves out: a matrix engine that rounds after every multiply-add, which adds up to one unit
 *   roundoff for each element of the contraction.
 */
export const arithmetics: Readonly<Record<Precision, Arithmetic>> = {
  fp64: {
    operand: FLOAT64,
    probability: FLOAT64,
    probabilityScale: 1,
    working: FLOAT64,
    output: FLOAT64,
  },
  fp16: {
    operand: FLOAT16,
    probability: FLOAT16,
    probabilityScale: 1,
    working: FLOAT16,
    output: FLOAT16,
  },
  fp8: {
    operand: FLOAT8_E4M3,
    probability: FLOAT8_E4M3,
    probabilityScale: 256,
    working: FLOAT16,
    output: FLOAT8_E4M3,
  },
}

/** A number between 0 and 1 as the exponentials are kept. */
export const roundProbability = (value: number, arithmetic: Arithmetic): number =>
  roundTo(value * arithmetic.probabilityScale, arithmetic.probability) / arithmetic.probabilityScale
