import type {
  BlockPosition,
  BufferSet,
  Completion,
} from '#shared/models/event/attention/attention-data.ts'
import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'

/**
 * A buffer in the L1 of a tile that computes absorbed MLA in chunks. Chunks of Q, K and V lie in
 * slots, which are used in turn; scores, state vectors and O belong to one of two sequences.
 */
export type LatentBuffer =
  | { readonly kind: 'query' | 'key' | 'value'; readonly slot: number }
  | { readonly kind: 'scores' | 'maximum' | 'sum'; readonly set: BufferSet }
  | { readonly kind: 'output'; readonly set: BufferSet; readonly chunk: number }

/** A chunk that lies in a slot. */
export interface ChunkInSlot {
  readonly chunk: number
  readonly slot: number
}

/**
 * Executes a kernel of absorbed MLA on real numbers, as `AttentionData` does for all others: each
 * method is called when an operation begins, and what it returns when the operation ends.
 */
export interface LatentData {
  clear(tile: number, buffer: LatentBuffer): Completion
  loadQuery(tile: number, where: ChunkInSlot, rowBlock: RowBlock): Completion
  loadKey(tile: number, where: ChunkInSlot, at: BlockPosition): Completion
  loadValue(tile: number, where: ChunkInSlot, at: BlockPosition): Completion
  transposeKey(tile: number, where: ChunkInSlot): Completion
  copy(from: number, to: number, buffer: LatentBuffer): Completion
  combine(into: number, from: readonly number[], buffer: LatentBuffer): Completion
  /** Adds the product of a chunk of Q and one of K to the scores. */
  scores(tile: number, set: BufferSet, chunk: number, query: number, key: number): Completion
  rowMaximum(tile: number, set: BufferSet, at: BlockPosition): Completion
  exponentials(tile: number, set: BufferSet): Completion
  rowSums(tile: number, set: BufferSet): Completion
  carry(tile: number, set: BufferSet, what: 'maximum' | 'sum', isFirst: boolean): Completion
  /** Divides the exponentials, instead of O, by their sums. */
  normalise(tile: number, set: BufferSet): Completion
  rescale(tile: number, set: BufferSet, chunk: number): Completion
  /** Adds P · V to a chunk of O. */
  multiplyValues(tile: number, set: BufferSet, where: ChunkInSlot): Completion
  divide(tile: number, set: BufferSet, chunk: number): Completion
  store(tile: number, set: BufferSet, chunk: number, rowBlock: RowBlock): Completion
  /** Combines the finished O, maxima and sums of two tiles that split KV. */
  merge(into: number, from: number): Completion
}
