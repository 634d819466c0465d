import type { Chip } from '#shared/hardware/chip.ts'
import { isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { HBM_ROW_BYTES } from '#shared/models/constants.ts'
import { AttentionOperands } from '#shared/models/event/attention/attention-operands.ts'
import { workOfGroups, type RowBlock } from '#shared/models/event/attention/attention-work.ts'
import { HBM_BANKS } from '#shared/models/event/hbm-channels.ts'
import type { MemoryBlock } from '#shared/models/event/hbm-transfer.ts'

/** Which share of the loads of each operand finds the row of memory closed, from 0 to 1. */
export interface ClosedRows {
  readonly query: number
  readonly key: number
  readonly value: number
}

/** Loads of an operand by all groups that are looked at, at most, and groups among them. */
const MOST_BLOCKS = 32
const MOST_GROUPS = 16

/**
 * Counts how often a load that comes to idle channels finds its row closed: the addresses of the first
 * blocks are followed through the banks, each of which keeps the row open that was read last. Where
 * groups load at the same moment, the one that comes first opens its row, and the others queue behind.
 *
 * A row of all channels together holds 16 KiB times their number, so that on many channels a stream
 * of loads stays in one; operands and heads that lie a multiple of four rows apart close each other's.
 *
 * Source: counting, with the layout and the banks of the event engine.
 */
export function closedRows(dataflow: Dataflow, shape: KernelShape, chip: Chip): ClosedRows {
  const operands = new AttentionOperands(shape, chip, isFlash(dataflow))
  const work = workOfGroups(shape, chip)
  const groups = Math.min(MOST_GROUPS, shape.activeGroups)
  const heads = dataflow === 'flat-async' && shape.jobsPerGroup > 1 ? 2 : 1
  const banks = new OpenRows()
  const counts = { query: new Count(), key: new Count(), value: new Count() }
  const load = (
    operand: keyof ClosedRows,
    blocks: readonly (readonly [RowBlock, number] | undefined)[],
  ) => {
    let isFirst = true
    for (const at of blocks) {
      if (at === undefined) continue
      const [rowBlock, columnBlock] = at
      const position = { rowBlock, columnBlock }
      const block =
        operand === 'query' ? operands.query(rowBlock, 0) : operands[operand](position, 0)
      const lines = operand === 'query' ? shape.groupY : shape.groupX
      const isOpen = banks.use(block, lines)
      if (isFirst) counts[operand].add(!isOpen)
      isFirst = false
    }
  }
  const places = Array.from({ length: heads }, (_, head) =>
    Array.from({ length: groups }, (_, group) => new Walk(work, group, head, shape)),
  )
  for (let step = 0; step < MOST_BLOCKS; step++) {
    for (const walks of places) {
      const at = walks.map(walk => walk.next())
      load(
        'query',
        at.map(block => (block?.[1] === 0 ? block : undefined)),
      )
      load('key', at)
      load('value', at)
    }
  }
  return {
    query: counts.query.share,
    key: counts.key.share,
    value: counts.value.share,
  }
}

/** The column blocks of one head of a group, one after the other. */
class Walk {
  private readonly work: ReturnType<typeof workOfGroups>
  private readonly group: number
  private readonly end: number
  private place: number
  private column = 0

  constructor(
    work: ReturnType<typeof workOfGroups>,
    group: number,
    head: number,
    { outerIterations }: KernelShape,
  ) {
    this.work = work
    this.group = group
    this.place = head * outerIterations
    this.end = work.count(group)
  }

  next(): readonly [RowBlock, number] | undefined {
    while (this.place < this.end) {
      const block = this.work.at(this.group, this.place)
      if (this.column < block.columnBlocks) return [block, this.column++]
      this.place++
      this.column = 0
    }
    return undefined
  }
}

/** The row that each bank keeps open; all channels of a set alike. */
class OpenRows {
  private readonly open = new Map<string, number>()

  /** Reads the slices of `loaders` tiles that lie side by side; whether the row of the first was open. */
  use({ set, address, rows, rowBytes, stride }: MemoryBlock, loaders: number): boolean {
    const bytesOfRow = HBM_ROW_BYTES * set.channels.length
    const row = Math.floor(address / bytesOfRow)
    const bank = (index: number) => `${set.edges.join()} ${String(index % HBM_BANKS)}`
    const isOpen = this.open.get(bank(row)) === row
    const size = rows > 1 ? (rows - 1) * stride + rowBytes : rowBytes * loaders
    const last = Math.floor((address + Math.max(1, size) - 1) / bytesOfRow)
    for (let index = Math.max(row, last - HBM_BANKS + 1); index <= last; index++) {
      this.open.set(bank(index), index)
    }
    return isOpen
  }
}

class Count {
  private all = 0
  private some = 0

  add(counts: boolean): void {
    this.all++
    if (counts) this.some++
  }

  get share(): number {
    return this.all > 0 ? this.some / this.all : 1
  }
}
