import type { Chip } from '#shared/hardware/chip.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { latentChunks } from '#shared/models/attention/latent-chunks.ts'
import type { BlockPosition } from '#shared/models/event/attention/attention-data.ts'
import { operandChannels } from '#shared/models/event/attention/attention-operands.ts'
import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'
import type { ChannelSet } from '#shared/models/event/hbm-channels.ts'
import type { MemoryBlock } from '#shared/models/event/hbm-transfer.ts'
import { elementBytes, headJobs, latentDimensions, queryRows } from '#shared/workload/attention.ts'

/** Part of a tensor in HBM: its rows, and where a chunk begins in each. */
interface Tensor {
  readonly address: number
  /** Elements of a row. */
  readonly width: number
}

/** A chunk of the score dimension: in the latent part or in that with the position. */
interface ChunkPlace {
  readonly isRope: boolean
  readonly offset: number
  readonly width: number
}

/** Where the chunks of a list lie in their tensor. */
function placesOf(widths: readonly number[], isRope: boolean): ChunkPlace[] {
  let offset = 0
  return widths.map(width => {
    const place = { isRope, offset, width }
    offset += width
    return place
  })
}

/**
 * Where the operands of absorbed MLA lie in HBM: latent and rope part of Q, O, latent and rope part
 * of K, one tensor behind the other, each [sequence][row][element]. V is the latent of K; where K lies
 * transposed, [sequence][element][row], V lies behind it once more.
 *
 * A chunk is a part of each of its rows: a rectangle of memory with one short row for each.
 */
export class LatentOperands {
  private readonly shape: KernelShape
  private readonly element: number
  private readonly isTransposed: boolean
  private readonly rowSet: ChannelSet
  private readonly columnSet: ChannelSet
  private readonly scoreChunks: readonly ChunkPlace[]
  private readonly valueChunks: readonly ChunkPlace[]
  private readonly query: { readonly latent: Tensor; readonly rope: Tensor }
  private readonly key: { readonly latent: Tensor; readonly rope: Tensor }
  private readonly value: Tensor
  private readonly output: Tensor

  constructor(shape: KernelShape, chip: Chip, isFlash: boolean) {
    const { workload } = shape
    const { latentDim, ropeDim } = latentDimensions(workload)
    const { latent, rope } = latentChunks(workload)
    this.shape = shape
    this.element = elementBytes(workload.dtype)
    this.isTransposed = chip.kernels.keyTranspose === 'in-memory'
    this.rowSet = operandChannels('row', chip, isFlash)
    this.columnSet = operandChannels('column', chip, isFlash)
    this.valueChunks = placesOf(latent, false)
    this.scoreChunks = [...this.valueChunks, ...placesOf(rope, true)]
    const rows = headJobs(workload) * queryRows(workload)
    const columns = headJobs(workload) * workload.kvLength
    let address = 0
    const tensor = (length: number, width: number): Tensor => {
      const placed = { address, width }
      address += length * width * this.element
      return placed
    }
    this.query = { latent: tensor(rows, latentDim), rope: tensor(rows, ropeDim) }
    this.output = tensor(rows, latentDim)
    this.key = { latent: tensor(columns, latentDim), rope: tensor(columns, ropeDim) }
    this.value = this.isTransposed ? tensor(columns, latentDim) : this.key.latent
  }

  /** A chunk of Q for the tiles in one row of a group. */
  queryChunk(rowBlock: RowBlock, iy: number, chunk: number): MemoryBlock {
    const place = placeOf(this.scoreChunks, chunk)
    return this.rowChunk(place.isRope ? this.query.rope : this.query.latent, place, rowBlock, iy)
  }

  /** All rows of Q for one tile: the latent part and that with the position. */
  wholeQuery(rowBlock: RowBlock, iy: number): MemoryBlock[] {
    const { latent, rope } = this.query
    return [latent, rope].map(tensor => {
      const place = { isRope: tensor === rope, offset: 0, width: tensor.width }
      return this.rowChunk(tensor, place, rowBlock, iy)
    })
  }

  outputChunk(rowBlock: RowBlock, iy: number, chunk: number): MemoryBlock {
    return this.rowChunk(this.output, placeOf(this.valueChunks, chunk), rowBlock, iy)
  }

  /** A chunk of K for the tiles in one column of a group. */
  keyChunk(at: BlockPosition, ix: number, chunk: number): MemoryBlock {
    const place = placeOf(this.scoreChunks, chunk)
    const tensor = place.isRope ? this.key.rope : this.key.latent
    if (!this.isTransposed) return this.columnChunk(tensor, place, at, ix)
    const { kvLength } = this.shape.workload
    const { first, count } = this.columns(at, ix)
    if (count <= 0) return { set: this.columnSet, ...nothing }
    const row = at.rowBlock.job * tensor.width + place.offset
    return {
      set: this.columnSet,
      address: tensor.address + (row * kvLength + first) * this.element,
      rows: place.width,
      rowBytes: count * this.element,
      stride: kvLength * this.element,
    }
  }

  valueChunk(at: BlockPosition, ix: number, chunk: number): MemoryBlock {
    return this.columnChunk(this.value, placeOf(this.valueChunks, chunk), at, ix)
  }

  private rowChunk(tensor: Tensor, place: ChunkPlace, rowBlock: RowBlock, iy: number): MemoryBlock {
    const { sliceRows, workload } = this.shape
    const count = Math.min(sliceRows, rowBlock.rows - iy * sliceRows)
    if (count <= 0) return { set: this.rowSet, ...nothing }
    const row = rowBlock.job * queryRows(workload) + rowBlock.firstRow + iy * sliceRows
    return this.rectangle(this.rowSet, tensor, place, row, count)
  }

  private columnChunk(tensor: Tensor, place: ChunkPlace, at: BlockPosition, ix: number) {
    const { first, count } = this.columns(at, ix)
    if (count <= 0) return { set: this.columnSet, ...nothing }
    const row = at.rowBlock.job * this.shape.workload.kvLength + first
    return this.rectangle(this.columnSet, tensor, place, row, count)
  }

  /** Some elements of some rows of a tensor; one stretch where those are all of each row. */
  private rectangle(
    set: ChannelSet,
    tensor: Tensor,
    { offset, width }: ChunkPlace,
    row: number,
    count: number,
  ): MemoryBlock {
    const { element } = this
    const address = tensor.address + (row * tensor.width + offset) * element
    const isWhole = width === tensor.width
    const rowBytes = width * element
    return isWhole
      ? { set, address, rows: 1, rowBytes: count * rowBytes, stride: count * rowBytes }
      : { set, address, rows: count, rowBytes, stride: tensor.width * element }
  }

  /** KV columns of the tiles in one column of a group; at the end of KV there may be fewer, or none. */
  private columns({ columnBlock }: BlockPosition, ix: number) {
    const { sliceCols, groupX, workload } = this.shape
    const first = (columnBlock * groupX + ix) * sliceCols
    return { first, count: Math.min(sliceCols, workload.kvLength - first) }
  }
}

const nothing: Omit<MemoryBlock, 'set'> = { address: 0, rows: 0, rowBytes: 0, stride: 0 }

function placeOf(places: readonly ChunkPlace[], chunk: number): ChunkPlace {
  const place = places[chunk]
  if (place === undefined) throw new RangeError(`no chunk ${String(chunk)}`)
  return place
}
