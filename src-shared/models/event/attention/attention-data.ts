import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'

/** Buffers in the L1 of a tile; an asynchronous kernel has two sets of them. */
export type Buffer = 'query' | 'key' | 'value' | 'output' | 'maximum' | 'sum'

export type BufferSet = 0 | 1

/** The block of scores that a tile works on. */
export interface BlockPosition {
  readonly rowBlock: RowBlock
  readonly columnBlock: number
}

/**
 * Executes a kernel on real numbers, beside its simulation in time: each method is called at the
 * moment at which the operation has ended, so an operation that starts before its data are there
 * computes with wrong numbers.
 */
export interface AttentionData {
  clearOutput(tile: number, set: BufferSet): void
  load(tile: number, set: BufferSet, buffer: 'query' | 'key' | 'value', at: BlockPosition): void
  copy(from: number, to: number, set: BufferSet, buffer: Buffer): void
  combine(into: number, from: number, set: BufferSet, buffer: 'maximum' | 'sum' | 'output'): void
  scores(tile: number, set: BufferSet, at: BlockPosition): void
  rowMaximum(tile: number, set: BufferSet): void
  exponentials(tile: number, set: BufferSet): void
  /** Adds the sums of this block to those of the blocks before, changed to the new maximum. */
  updateSum(tile: number, set: BufferSet): void
  rescale(tile: number, set: BufferSet): void
  multiplyValues(tile: number, set: BufferSet): void
  divide(tile: number, set: BufferSet): void
  store(tile: number, set: BufferSet, rowBlock: RowBlock): void
}
