import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { headDimensions } from '#shared/workload/attention.ts'
import { CheckedBuffer } from '#shared/models/event/check/checked-buffer.ts'

/** One set of the buffers of a tile. */
export interface TileBuffers {
  readonly query: CheckedBuffer
  /** As it was loaded, and then transposed: d_k × columns. */
  readonly key: CheckedBuffer
  readonly value: CheckedBuffer
  /** Scores, and then their exponentials. */
  readonly scores: CheckedBuffer
  /** Exponentials that were put aside. */
  readonly copy: CheckedBuffer
  readonly output: CheckedBuffer
  /** Of this block, with the blocks before: over the tile, and then over its row of the group. */
  readonly maximum: CheckedBuffer
  readonly sum: CheckedBuffer
  /** Over the blocks before. */
  readonly carriedMaximum: CheckedBuffer
  readonly carriedSum: CheckedBuffer
  readonly factor: CheckedBuffer
}

type Slice = Pick<KernelShape, 'sliceRows' | 'sliceCols' | 'workload'>

/** Elements of one set. */
export function elementsOfSet({ sliceRows, sliceCols, workload }: Slice): number {
  const { score, value } = headDimensions(workload)
  return (sliceRows + sliceCols) * (score + value) + 2 * sliceRows * sliceCols + 5 * sliceRows
}

export function createTileBuffers({ sliceRows, sliceCols, workload }: Slice): TileBuffers {
  const { score, value } = headDimensions(workload)
  return {
    query: new CheckedBuffer('Q', sliceRows * score),
    key: new CheckedBuffer('K', sliceCols * score),
    value: new CheckedBuffer('V', sliceCols * value),
    scores: new CheckedBuffer('the block of scores', sliceRows * sliceCols),
    copy: new CheckedBuffer('the copy of the exponentials', sliceRows * sliceCols),
    output: new CheckedBuffer('O', sliceRows * value),
    maximum: new CheckedBuffer('the row maxima', sliceRows),
    sum: new CheckedBuffer('the row sums', sliceRows),
    carriedMaximum: new CheckedBuffer('the row maxima so far', sliceRows),
    carriedSum: new CheckedBuffer('the row sums so far', sliceRows),
    factor: new CheckedBuffer('the rescaling factors', sliceRows),
  }
}
