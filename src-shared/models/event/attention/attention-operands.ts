import type { Chip, Edge } from '#shared/hardware/chip.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import type { BlockPosition } from '#shared/models/event/attention/attention-data.ts'
import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'
import { channelsBehind, type ChannelSet } from '#shared/models/event/hbm-channels.ts'
import type { MemoryBlock } from '#shared/models/event/hbm-transfer.ts'
import { operandHome } from '#shared/models/memory/hbm.ts'
import {
  elementBytes,
  headDimensions,
  headJobs,
  queryRows,
  type HeadDimensions,
} from '#shared/workload/attention.ts'

const nothing: Omit<MemoryBlock, 'set'> = { address: 0, rows: 0, rowBytes: 0, stride: 0 }

/**
 * Where Q, O, K and V lie in HBM: one tensor behind the other, each [job][row][element], K as
 * [job][element][row] where it lies transposed.
 */
export class AttentionOperands {
  private readonly shape: KernelShape
  private readonly element: number
  private readonly dimensions: HeadDimensions
  private readonly transposedKeys: boolean
  private readonly rowSet: ChannelSet
  private readonly columnSet: ChannelSet
  private readonly queryTensor: number
  private readonly outputTensor: number
  private readonly keyTensor: number

  constructor(shape: KernelShape, chip: Chip, isFlash: boolean) {
    const { workload } = shape
    this.shape = shape
    this.element = elementBytes(workload.dtype)
    this.transposedKeys = chip.kernels.keyTranspose === 'in-memory'
    this.rowSet = operandChannels('row', chip, isFlash)
    this.columnSet = operandChannels('column', chip, isFlash)
    const jobs = headJobs(workload)
    const { score, value } = headDimensions(workload)
    this.dimensions = { score, value }
    const rows = jobs * queryRows(workload) * this.element
    this.queryTensor = rows * score
    this.outputTensor = rows * value
    this.keyTensor = jobs * workload.kvLength * score * this.element
  }

  /** Rows of Q for the tiles in one row of a group. */
  query(rowBlock: RowBlock, iy: number): MemoryBlock {
    return this.rowSlice(0, this.dimensions.score, rowBlock, iy)
  }

  output(rowBlock: RowBlock, iy: number): MemoryBlock {
    return this.rowSlice(this.queryTensor, this.dimensions.value, rowBlock, iy)
  }

  /** Rows of K for the tiles in one column of a group. */
  key(at: BlockPosition, ix: number): MemoryBlock {
    const tensor = this.queryTensor + this.outputTensor
    const { score } = this.dimensions
    if (!this.transposedKeys) return this.columnSlice(tensor, score, at, ix)
    const { first, count } = this.columns(at, ix)
    const { kvLength } = this.shape.workload
    if (count <= 0) return { set: this.columnSet, ...nothing }
    return {
      set: this.columnSet,
      address: tensor + (at.rowBlock.job * score * kvLength + first) * this.element,
      rows: score,
      rowBytes: count * this.element,
      stride: kvLength * this.element,
    }
  }

  value(at: BlockPosition, ix: number): MemoryBlock {
    const tensor = this.queryTensor + this.outputTensor + this.keyTensor
    return this.columnSlice(tensor, this.dimensions.value, at, ix)
  }

  private rowSlice(tensor: number, width: number, rowBlock: RowBlock, iy: number): MemoryBlock {
    const { sliceRows, workload } = this.shape
    const rowBytes = width * this.element
    const count = Math.min(sliceRows, rowBlock.rows - iy * sliceRows)
    if (count <= 0) return { set: this.rowSet, ...nothing }
    const row = rowBlock.job * queryRows(workload) + rowBlock.firstRow + iy * sliceRows
    return contiguous(this.rowSet, tensor + row * rowBytes, count * rowBytes)
  }

  private columnSlice(tensor: number, width: number, at: BlockPosition, ix: number): MemoryBlock {
    const { first, count } = this.columns(at, ix)
    if (count <= 0) return { set: this.columnSet, ...nothing }
    const rowBytes = width * this.element
    const row = at.rowBlock.job * this.shape.workload.kvLength + first
    return contiguous(this.columnSet, tensor + row * rowBytes, count * rowBytes)
  }

  /**
   * KV columns of the tiles in one column of a group; at the end of KV there may be fewer, or none.
   * A block that the mask covers in part is loaded whole, as it is computed whole.
   */
  private columns({ columnBlock }: BlockPosition, ix: number) {
    const { sliceCols, groupX, workload } = this.shape
    const first = (columnBlock * groupX + ix) * sliceCols
    return { first, count: Math.min(sliceCols, workload.kvLength - first) }
  }
}

const contiguous = (set: ChannelSet, address: number, size: number): MemoryBlock => ({
  set,
  address,
  rows: 1,
  rowBytes: size,
  stride: size,
})

/** FlashAttention spreads its operands over all channels; the others keep rows and columns apart. */
export function operandChannels(
  operand: 'row' | 'column',
  chip: Chip,
  everywhere: boolean,
): ChannelSet {
  const all: readonly Edge[] = ['west', 'north', 'east', 'south']
  if (everywhere) return channelsBehind(all, chip)
  const { axis } = operandHome(operand, chip)
  return channelsBehind(axis === 'row' ? ['west', 'east'] : ['north', 'south'], chip)
}
