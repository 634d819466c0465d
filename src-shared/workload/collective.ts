import type { Bytes } from '#shared/units/quantity.ts'

/** multicast: all get the bytes of one; sum, max: one gets the combination of the bytes of all. */
export type CollectiveOperation = 'multicast' | 'sum' | 'max'

/**
 * hw: routers copy and combine. sw-seq: one tile serves one after the other. sw-tree: halves.
 * sw-pipelined: from neighbour to neighbour, in `stages` pieces.
 */
export type CollectiveImplementation = 'hw' | 'sw-tree' | 'sw-seq' | 'sw-pipelined'

/** Who takes part in the barriers inside a collective: those that take part in it, or all tiles. */
export type BarrierScope = 'participants' | 'chip'

/**
 * A collective over a rectangle of tiles. A row is columns × 1, a column 1 × rows; a rectangle is
 * done along its rows first, all at once, then along a column.
 */
export interface Collective {
  readonly operation: CollectiveOperation
  readonly implementation: CollectiveImplementation
  /** What each tile gets or gives. */
  readonly size: Bytes
  readonly elementBytes: Bytes
  readonly columns: number
  readonly rows: number
  /** Pieces of the pipelined variant. */
  readonly stages: number
  readonly barriers: BarrierScope
}
