import { arithmetics, type Precision } from '#shared/models/event/check/arithmetic.ts'
import { LARGEST_VALUE } from '#shared/models/event/check/attention-tensors.ts'
import { underflowError, unitRoundoff } from '#shared/models/event/check/number-format.ts'
import {
  FP64_BOUND,
  roundingBound,
  type RoundingShape,
} from '#shared/models/event/check/rounding-bound.ts'
import { term } from '#shared/models/explanation-term.ts'
import type { Explanation } from '#shared/results/explanation.ts'

/** How the bound of a check came about. */
export function explainBound(shape: RoundingShape, precision: Precision): Explanation {
  const common = { field: 'bound', label: 'Bound on the deviation', unit: '1' }
  if (precision === 'fp64') {
    return {
      ...common,
      value: FP64_BOUND,
      formula: '10⁻⁹ of the largest magnitude in the row of O',
      terms: [],
      source: 'asked for; the rounding errors of double precision are about 10⁶ times smaller',
    }
  }
  const { bound, roundings, relative, underflow } = roundingBound(shape, arithmetics[precision])
  const { working, probability, probabilityScale, output } = arithmetics[precision]
  const format = (name: string) => `format ${name}`
  return {
    ...common,
    value: bound,
    formula:
      'min(2V, V · ((e^ε + ω) / (e^−ε − ω) − 1) + 2V · u_o + a_o); ' +
      'ε = u·(4 + C + 4u)·S + C·a/√d + R·u_p/(1 − u_p) + n·u/(1 − u); ' +
      'ω = R·L·a_p/σ + a·(T·L + 2T + G)',
    terms: [
      term('d', 'head dimension', shape.headDim, '1', 'workload.headDim'),
      term('L', 'keys', shape.kvLength, '1', 'workload.kvLength'),
      term('T', 'column blocks of a row block', shape.columnBlocks, '1', 'mapping'),
      term('G', 'tiles of a row', shape.groupX, '1', 'mapping'),
      term('C', 'chunks of a score', shape.scoreChunks ?? 1, '1', 'the dimensions of the latent'),
      term(
        'R',
        'roundings of an exponential',
        shape.probabilityRoundings ?? 1,
        '1',
        'the steps of the dataflow',
      ),
      term('V', 'largest value', LARGEST_VALUE, '1', 'the operands drawn'),
      term('S', 'largest score', shape.largestScore, '1', 'the operands drawn; at most 3·√d'),
      term('n', 'roundings in a row, 3T + G + 1', roundings, '1', 'the steps of the dataflow'),
      term('u', 'unit roundoff', unitRoundoff(working), '1', format(working.name)),
      term('a', 'underflow error', underflowError(working), '1', format(working.name)),
      term('u_p', 'unit roundoff', unitRoundoff(probability), '1', format(probability.name)),
      term('a_p', 'underflow error', underflowError(probability), '1', format(probability.name)),
      term('σ', 'scale of the exponentials', probabilityScale, '1', 'the precision'),
      term('u_o', 'unit roundoff', unitRoundoff(output), '1', format(output.name)),
      term('a_o', 'underflow error', underflowError(output), '1', format(output.name)),
      term('ε', 'relative error of weights and sums', relative, '1', 'the formula'),
      term('ω', 'error of what is too small', underflow, '1', 'the formula'),
    ],
    source:
      'standard model of floating-point arithmetic, one rounding of each element of each operation',
  }
}
