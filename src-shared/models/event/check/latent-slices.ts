import { latentChunks } from '#shared/models/attention/latent-chunks.ts'
import type { BlockPosition } from '#shared/models/event/attention/attention-data.ts'
import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'
import { transposed, type Block } from '#shared/models/event/check/block-arithmetic.ts'
import type { CheckedKernel } from '#shared/models/event/check/checked-attention.ts'
import { JobRows } from '#shared/models/event/check/job-rows.ts'
import { headDimensions } from '#shared/workload/attention.ts'

/** What lies in a slice beyond the rows that a load has brought: anything finite. */
const STALE = 1

/** The chunks of Q, K and V that the tiles of a kernel of absorbed MLA load, out of the tensors. */
export class LatentSlices {
  private readonly kernel: CheckedKernel
  private readonly rows: JobRows
  private readonly scoreWidths: readonly number[]
  private readonly valueWidths: readonly number[]

  constructor(kernel: CheckedKernel) {
    const { latent, rope } = latentChunks(kernel.shape.workload)
    this.kernel = kernel
    this.rows = new JobRows(kernel.shape.workload)
    this.scoreWidths = [...latent, ...rope]
    this.valueWidths = latent
  }

  scoreWidth(chunk: number): number {
    return this.scoreWidths[chunk] ?? NaN
  }

  valueWidth(chunk: number): number {
    return this.valueWidths[chunk] ?? NaN
  }

  valueOffset(chunk: number): number {
    return offsetOf(this.valueWidths, chunk)
  }

  /** First row of a job that a tile computes. */
  firstRow(rowBlock: RowBlock, tile: number): number {
    const { shape, tilesAlongX } = this.kernel
    const iy = Math.floor(tile / tilesAlongX) % shape.groupY
    return rowBlock.firstRow + iy * shape.sliceRows
  }

  firstColumn({ columnBlock }: BlockPosition, tile: number): number {
    const { shape, tilesAlongX } = this.kernel
    const ix = (tile % tilesAlongX) % shape.groupX
    return (columnBlock * shape.groupX + ix) * shape.sliceCols
  }

  query(chunk: number, rowBlock: RowBlock, tile: number): Block {
    const { shape, tensors } = this.kernel
    const whole = new Float64Array(shape.sliceRows * this.score).fill(STALE)
    this.rows.loadQuery(whole, tensors, rowBlock.job, this.firstRow(rowBlock, tile))
    return cut(whole, this.score, offsetOf(this.scoreWidths, chunk), this.scoreWidth(chunk))
  }

  /** As it lies in memory: K, or Kᵀ. */
  key(chunk: number, at: BlockPosition, tile: number): Block {
    const block = this.columns('key', this.score, at, tile)
    const width = this.scoreWidth(chunk)
    const part = cut(block, this.score, offsetOf(this.scoreWidths, chunk), width)
    return this.kernel.keysLieTransposed ? this.transposed(part, chunk) : part
  }

  value(chunk: number, at: BlockPosition, tile: number): Block {
    const { value } = headDimensions(this.kernel.shape.workload)
    const block = this.columns('value', value, at, tile)
    return cut(block, value, this.valueOffset(chunk), this.valueWidth(chunk))
  }

  /** The transpose of a chunk of K, which may lie in a longer slot. */
  transposed(block: Block, chunk: number): Block {
    const { sliceCols } = this.kernel.shape
    const width = this.scoreWidth(chunk)
    return transposed(block.subarray(0, sliceCols * width), sliceCols, width)
  }

  private columns(operand: 'key' | 'value', width: number, at: BlockPosition, tile: number): Block {
    const { shape, tensors } = this.kernel
    const block = new Float64Array(shape.sliceCols * width).fill(STALE)
    this.rows.loadColumns(block, tensors, operand, at.rowBlock.job, this.firstColumn(at, tile))
    return block
  }

  private get score(): number {
    return headDimensions(this.kernel.shape.workload).score
  }
}

const offsetOf = (widths: readonly number[], chunk: number): number =>
  widths.slice(0, chunk).reduce((sum, width) => sum + width, 0)

/** Some columns of a block. */
function cut(block: Block, columns: number, first: number, width: number): Block {
  const rows = block.length / columns
  const result = new Float64Array(rows * width)
  for (let row = 0; row < rows; row++) {
    const from = row * columns + first
    result.set(block.subarray(from, from + width), row * width)
  }
  return result
}
