import type { Chip } from '#shared/hardware/chip.ts'
import { operandChannels } from '#shared/models/event/attention/attention-operands.ts'
import type { ChannelSet } from '#shared/models/event/hbm-channels.ts'
import type { MemoryBlock } from '#shared/models/event/hbm-transfer.ts'
import { lengthOf, type IndexRange } from '#shared/models/event/summa/summa-work.ts'
import { elementBytes } from '#shared/workload/attention.ts'
import type { GemmWorkload } from '#shared/workload/gemm.ts'

/**
 * Where X, W and Z lie in HBM: row-major, product by product, one tensor behind the other. A block
 * of them is a rectangle whose rows are as far apart as the rows of the whole matrix.
 */
export class SummaOperands {
  private readonly workload: GemmWorkload
  private readonly element: number
  private readonly rowSet: ChannelSet
  private readonly columnSet: ChannelSet
  private readonly outputTensor: number
  private readonly weightTensor: number

  constructor(workload: GemmWorkload, chip: Chip) {
    const { m, n, k, batch, dtype } = workload
    this.workload = workload
    this.element = elementBytes(dtype)
    this.rowSet = operandChannels('row', chip, false)
    this.columnSet = operandChannels('column', chip, false)
    this.weightTensor = batch * m * k * this.element
    this.outputTensor = this.weightTensor + batch * k * n * this.element
  }

  x(product: number, rows: IndexRange, contraction: IndexRange): MemoryBlock {
    const { m, k } = this.workload
    return this.block(this.rowSet, 0, { height: m, width: k }, product, rows, contraction)
  }

  w(product: number, contraction: IndexRange, columns: IndexRange): MemoryBlock {
    const { k, n } = this.workload
    const matrix = { height: k, width: n }
    return this.block(this.columnSet, this.weightTensor, matrix, product, contraction, columns)
  }

  z(product: number, rows: IndexRange, columns: IndexRange): MemoryBlock {
    const { m, n } = this.workload
    const matrix = { height: m, width: n }
    return this.block(this.rowSet, this.outputTensor, matrix, product, rows, columns)
  }

  private block(
    set: ChannelSet,
    tensor: number,
    matrix: { readonly height: number; readonly width: number },
    product: number,
    rows: IndexRange,
    columns: IndexRange,
  ): MemoryBlock {
    const stride = matrix.width * this.element
    const row = product * matrix.height + rows.first
    return {
      set,
      address: tensor + row * stride + columns.first * this.element,
      rows: lengthOf(rows),
      rowBytes: lengthOf(columns) * this.element,
      stride,
    }
  }
}
