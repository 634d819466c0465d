import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'

/** Buffers in the L1 of a tile that its programs name; an asynchronous kernel has two sets of them. */
export type Buffer = 'query' | 'key' | 'value' | 'output' | 'maximum' | 'sum'

export type BufferSet = 0 | 1

/** The block of scores that a tile works on. */
export interface BlockPosition {
  readonly rowBlock: RowBlock
  readonly columnBlock: number
}

/** What the online softmax carries from one column block to the next. */
export type CarriedState = 'maximum' | 'sum' | 'output'

/** Ends an operation that was begun: its results are there now, and its operands are free. */
export type Completion = () => void

/**
 * Executes a kernel on real numbers, beside its simulation in time. Each method is called at the
 * moment at which an operation begins, and what it returns at the moment at which it ends: between
 * the two its operands must stay as they are, and nobody may use its results.
 */
export interface AttentionData {
  clearOutput(tile: number, set: BufferSet): Completion
  clearScores(tile: number, set: BufferSet): Completion
  load(
    tile: number,
    set: BufferSet,
    buffer: 'query' | 'key' | 'value',
    at: BlockPosition,
  ): Completion
  /** K as it lies in memory becomes Kᵀ, which the matrix engine needs. */
  transposeKey(tile: number, set: BufferSet): Completion
  copy(from: number, to: number, set: BufferSet, buffers: readonly Buffer[]): Completion
  /** `into` has its own data combined with those of the others, one after the other. */
  combine(
    into: number,
    from: readonly number[],
    set: BufferSet,
    buffer: 'maximum' | 'sum' | 'output',
  ): Completion
  /** Adds Q · Kᵀ to the scores. */
  scores(tile: number, set: BufferSet): Completion
  /** Masks the scores, and takes the maximum of each row with that of the blocks before. */
  rowMaximum(tile: number, set: BufferSet, at: BlockPosition): Completion
  /** Exponentials take the place of the scores; their sum over each row. */
  exponentials(tile: number, set: BufferSet): Completion
  /**
   * Carries maxima and sums over to the next block, and rescales O, in this order; those that are
   * named. The first block of a row block takes the place of what was there, and rescales nothing.
   */
  carry(tile: number, set: BufferSet, what: readonly CarriedState[], isFirst: boolean): Completion
  /** Puts the exponentials aside, so that the next scores can be computed before they are used. */
  copyScores(tile: number, set: BufferSet): Completion
  /** Adds P · V to O, with the exponentials in the place of the scores or those put aside. */
  multiplyValues(tile: number, set: BufferSet, from: 'scores' | 'copy'): Completion
  divide(tile: number, set: BufferSet): Completion
  store(tile: number, set: BufferSet, rowBlock: RowBlock): Completion
}
