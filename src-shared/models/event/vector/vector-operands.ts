import { HBM_ROW_BYTES } from '#shared/models/constants.ts'
import type { Chip } from '#shared/hardware/chip.ts'
import { operandChannels } from '#shared/models/event/attention/attention-operands.ts'
import { HBM_BANKS, type ChannelSet, type HbmChannels } from '#shared/models/event/hbm-channels.ts'
import type { MemoryBlock } from '#shared/models/event/hbm-transfer.ts'
import type { LoadStep, TokenWork, VectorOperand } from '#shared/models/vector/vector-steps.ts'
import type { VectorWorkload } from '#shared/workload/vector.ts'

/** The group of banks in which each tensor begins. */
const firstBank: Readonly<Record<VectorOperand | 'output', number>> = {
  row: 0,
  'second-row': 0,
  'expert-rows': 0,
  index: 1,
  tables: 2,
  output: 3,
}

/**
 * Where the operands of a vector kernel lie in HBM, each [token][element].
 *
 * Tensors of rows that are combined with each other begin in the same channel and group of banks, so
 * that the second row of a token finds the first one's open, and what it needs closed. Measured: a lone
 * tile waited 215 and 233 cycles, without the flits, for each of the two rows of silu-gate and add, and
 * 60 to 90 for everything that rms-norm, rope and top-k load.
 *
 * Each row of the tables of rope has the cosines of a position and behind them its sines, which are
 * two transfers. With zeros all tokens have position 0, and so all tiles read the same lines; else
 * every token has its own position. The rows that combine sums lie [expert of a token][token].
 *
 * Source: operands of the public kernels of arXiv 2604.02110; waits of the recorded runs of one token
 *   (resources/published/vector-kernels-2026.json), less the barrier and the passes over the row.
 * Leaves out: where an allocator would really place them.
 */
export class VectorOperands {
  private readonly workload: VectorWorkload
  private readonly storeBytes: number
  private readonly set: ChannelSet
  private readonly tensors = new Map<VectorOperand, readonly number[]>()
  private readonly output: number

  constructor(
    workload: VectorWorkload,
    { steps, storeBytes }: TokenWork,
    chip: Chip,
    channels: HbmChannels,
  ) {
    this.workload = workload
    this.storeBytes = storeBytes
    this.set = operandChannels('row', chip, false)
    let end = 0
    const place = (size: number, bank: number) => {
      const start = this.nextInBank(bank, end, channels)
      end = start + size
      return start
    }
    for (const step of steps) {
      if (step.kind !== 'load') continue
      const { operand, bytes, count } = step
      // The rows of each expert of a token are a tensor of their own.
      this.tensors.set(
        operand,
        Array.from({ length: operand === 'expert-rows' ? count : 1 }, () =>
          place(workload.tokens * bytes, firstBank[operand]),
        ),
      )
    }
    this.output = place(workload.tokens * storeBytes, firstBank.output)
  }

  /** Leaves the first row of each tensor open, as the kernel before that has written them. */
  openFirstRows(channels: HbmChannels): void {
    for (const address of [...this.tensors.values()].flat()) channels.openRowOf(address, this.set)
  }

  /** What a step loads for a token: transfers that are queued together. */
  loads({ operand, bytes }: LoadStep, token: number): MemoryBlock[][] {
    const tensors = this.tensors.get(operand) ?? []
    if (operand === 'tables') {
      const half = bytes / 2
      const rows = tensors.map(tensor => tensor + this.position(token) * bytes)
      return rows.map(row => [this.block(row, half), this.block(row + half, half)])
    }
    return tensors.map(tensor => [this.block(tensor + token * bytes, bytes)])
  }

  store(token: number): MemoryBlock {
    return this.block(this.output + token * this.storeBytes, this.storeBytes)
  }

  /** The next address from which a tensor begins in a group of banks, and in the first channel. */
  private nextInBank(bank: number, from: number, channels: HbmChannels): number {
    const row = HBM_ROW_BYTES * this.set.channels.length
    const period = HBM_BANKS * row
    const first = bank * row
    const channel = channels.channelOf(first, this.set)
    let start = Math.max(0, Math.ceil((from - first) / period)) * period + first
    while (channels.channelOf(start, this.set) !== channel) start += period
    return start
  }

  private position(token: number): number {
    return this.workload.data === 'zeros' ? 0 : token
  }

  private block(address: number, size: number): MemoryBlock {
    return { set: this.set, address, rows: 1, rowBytes: size, stride: size }
  }
}
