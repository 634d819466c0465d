import {
  VECTOR_ROW_UNROLL,
  VECTOR_STATE_UPDATE_CYCLES,
  VECTOR_STEP_START,
} from '#shared/models/constants.ts'
import { cycles, type Bytes, type Cycles } from '#shared/units/quantity.ts'
import type { VectorEngine } from '#shared/hardware/chip.ts'

export interface VectorEngineContext {
  readonly engine: VectorEngine
  readonly elementBytes: Bytes
  /** Drop the rows of an engine beyond a multiple of 16, as the reference kernels do. */
  readonly partialRowsSkipped: boolean
}

/** Cycles of the steps of the online softmax on one tile, all its vector engines together. */
export interface SoftmaxSteps {
  /** Scale the scores and find the maximum of each row. */
  readonly rowMax: Cycles
  /** Subtract the maximum and exponentiate. */
  readonly exp: Cycles
  readonly rowSum: Cycles
  /** Multiply each row of the output by the change of its maximum. */
  readonly rescale: Cycles
  /** Divide each row of the output by its sum. */
  readonly divide: Cycles
  /** Update of one state vector: the factor e, or the sum l. */
  readonly stateUpdate: Cycles
}

/**
 * Cycles of the softmax steps for a `rows` × `columns` block of scores and an output of
 * `rows` × `headDim`. The rows are shared out over the engines of the tile.
 *
 * Per row of n elements, with lanes = fpus · 64 bit / element, La = ⌈n/lanes⌉ for arithmetic,
 * Lr = La + ⌈log2 lanes⌉ − 2 for a reduction, Lm = ⌈n · element / load-store bytes⌉,
 * Le = La / expRate for the exponential:
 *
 *   rowMax   Lm + La + max(Lm, 1 + Lr)      rowSum   Lm + max(Lr, 3)
 *   exp      Lm + La + Le + max(4, Lm)      rescale, divide   Lm + La + max(Lm, 4)
 *
 * and a start per step. In-order issue through a scoreboard without chaining: an instruction
 * starts when its unit and its operands are free.
 *
 * Source: issue rules of the public Spatz model in the reference simulator; within 3 % of its
 *   measured steps for rows of 128 elements and for FP16 rows of 64, within 9 % for FP8 rows of 64.
 * Leaves out: L1 bank conflicts with the DMA (1 to 3 %).
 * Checked by: test/src-shared/models/engines/vector-engine.test.ts
 */
export function softmaxSteps(
  rows: number,
  columns: number,
  headDim: number,
  context: VectorEngineContext,
): SoftmaxSteps {
  const { engine, elementBytes } = context
  const rowsOfEngine = Math.ceil(rows / engine.count)
  const activeRows = context.partialRowsSkipped
    ? VECTOR_ROW_UNROLL * Math.floor(rowsOfEngine / VECTOR_ROW_UNROLL)
    : rowsOfEngine
  const lanes = Math.max(1, Math.floor((engine.fpus * 8) / elementBytes))
  const arithmetic = (length: number) => Math.ceil(length / lanes)
  const reduction = (length: number) =>
    Math.max(1, arithmetic(length) + Math.ceil(Math.log2(lanes)) - 2)
  const memory = (length: number) => Math.ceil((length * elementBytes) / engine.loadStore)
  const step = (perRow: number, start: number) =>
    cycles(activeRows > 0 && perRow > 0 ? activeRows * perRow + start : 0)

  const scoreMemory = memory(columns)
  const scoreArithmetic = arithmetic(columns)
  const scoreReduction = reduction(columns)
  const outputRow = memory(headDim) + arithmetic(headDim) + Math.max(memory(headDim), 4)
  return {
    rowMax: step(
      scoreMemory + scoreArithmetic + Math.max(scoreMemory, 1 + scoreReduction),
      VECTOR_STEP_START.rowMax,
    ),
    exp: step(
      scoreMemory + scoreArithmetic + scoreArithmetic / engine.expRate + Math.max(4, scoreMemory),
      VECTOR_STEP_START.exp,
    ),
    rowSum: step(scoreMemory + Math.max(scoreReduction, 3), VECTOR_STEP_START.rowSum),
    rescale: step(outputRow, VECTOR_STEP_START.scale),
    divide: step(outputRow, VECTOR_STEP_START.scale),
    stateUpdate: cycles(VECTOR_STATE_UPDATE_CYCLES),
  }
}
