import type { Chip } from '#shared/hardware/chip.ts'
import { isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { latentChunks } from '#shared/models/attention/latent-chunks.ts'
import { keepsWholeQuery } from '#shared/models/attention/latent-occupancy.ts'
import { HBM_ROW_BYTES } from '#shared/models/constants.ts'
import { AttentionOperands } from '#shared/models/event/attention/attention-operands.ts'
import type { BlockPosition } from '#shared/models/event/attention/attention-data.ts'
import { workOfGroups } from '#shared/models/event/attention/attention-work.ts'
import { HBM_BANKS, type ChannelSet } from '#shared/models/event/hbm-channels.ts'
import type { MemoryBlock } from '#shared/models/event/hbm-transfer.ts'
import { LatentOperands } from '#shared/models/event/latent/latent-operands.ts'
import { isAbsorbed } from '#shared/workload/attention.ts'

/** Which share of the loads of each operand finds the row of memory closed, from 0 to 1. */
export interface ClosedRows {
  readonly query: number
  readonly key: number
  readonly value: number
}

/** Loads of an operand by all groups that are looked at, at most, and groups among them. */
const MOST_BLOCKS = 32
const MOST_GROUPS = 4

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
  const operands = operandReads(dataflow, shape, chip)
  const work = workOfGroups(shape, chip)
  const groups = Math.min(MOST_GROUPS, shape.activeGroups)
  const heads = dataflow === 'flat-async' && shape.jobsPerGroup > 1 ? 2 : 1
  const banks = new OpenRows()
  const counts = { query: new Count(), key: new Count(), value: new Count() }
  const walks = Array.from({ length: heads }, (_, head) =>
    Array.from({ length: groups }, (_, group) => new Walk(work, group, head, shape)),
  )
  for (let step = 0; step < MOST_BLOCKS; step++) {
    for (const head of walks) {
      const positions = head.map(walk => walk.next()).filter(at => at !== undefined)
      if (positions.length === 0) continue
      for (const { operand, loaders, read } of operands) {
        let isFirst = true
        for (const at of positions) {
          const block = read(at)
          if (block === undefined) continue
          const isOpen = banks.use(block, loaders)
          if (isFirst) counts[operand].add(!isOpen)
          isFirst = false
        }
      }
    }
  }
  return { query: counts.query.share, key: counts.key.share, value: counts.value.share }
}

/** One load of each column block: what it takes from memory, or nothing. */
interface OperandRead {
  readonly operand: keyof ClosedRows
  readonly loaders: number
  readonly read: (at: BlockPosition) => MemoryBlock | undefined
}

/** The loads of a column block in their order; where MLA is absorbed, of each chunk of the operands. */
function operandReads(dataflow: Dataflow, shape: KernelShape, chip: Chip): OperandRead[] {
  const { groupX, groupY, workload } = shape
  const query = { operand: 'query', loaders: groupY } as const
  const key = { operand: 'key', loaders: groupX } as const
  const value = { operand: 'value', loaders: groupX } as const
  const isFirst = (at: BlockPosition) => at.columnBlock === 0
  if (!isAbsorbed(workload)) {
    const operands = new AttentionOperands(shape, chip, isFlash(dataflow))
    return [
      { ...query, read: at => (isFirst(at) ? operands.query(at.rowBlock, 0) : undefined) },
      { ...key, read: at => operands.key(at, 0) },
      { ...value, read: at => operands.value(at, 0) },
    ]
  }
  const operands = new LatentOperands(shape, chip, isFlash(dataflow))
  const { latent, rope } = latentChunks(workload)
  const scored = [...latent, ...rope].map((_, chunk) => chunk)
  const keepsQuery = keepsWholeQuery(dataflow)
  return [
    ...scored.flatMap((chunk): OperandRead[] => [
      {
        ...query,
        read: at =>
          keepsQuery && !isFirst(at) ? undefined : operands.queryChunk(at.rowBlock, 0, chunk),
      },
      { ...key, read: at => operands.keyChunk(at, 0, chunk) },
    ]),
    ...latent.map((_, chunk): OperandRead => ({
      ...value,
      read: at => operands.valueChunk(at, 0, chunk),
    })),
  ]
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

  next(): BlockPosition | undefined {
    for (;;) {
      this.place = this.work.busyFrom(this.group, this.place)
      if (this.place >= this.end) return undefined
      const rowBlock = this.work.at(this.group, this.place)
      if (this.column < rowBlock.columnBlocks) return { rowBlock, columnBlock: this.column++ }
      this.place++
      this.column = 0
    }
  }
}

/** The row that each bank keeps open; all channels of a set alike. */
class OpenRows {
  private readonly ofEdges = new Map<string, Float64Array>()
  private readonly ofSet = new Map<ChannelSet, Float64Array>()

  /** Reads the slices of `loaders` tiles that lie side by side; whether the row of the first was open. */
  use({ set, address, rows, rowBytes, stride }: MemoryBlock, loaders: number): boolean {
    const banks = this.ofSet.get(set) ?? this.banksOf(set)
    const bytesOfRow = HBM_ROW_BYTES * set.channels.length
    const row = Math.floor(address / bytesOfRow)
    const isOpen = banks[row % HBM_BANKS] === row
    const size = rows > 1 ? (rows - 1) * stride + rowBytes : rowBytes * loaders
    const last = Math.floor((address + Math.max(1, size) - 1) / bytesOfRow)
    for (let index = Math.max(row, last - HBM_BANKS + 1); index <= last; index++) {
      banks[index % HBM_BANKS] = index
    }
    return isOpen
  }

  /** Rows and columns of tiles may have the same channels, in two sets. */
  private banksOf(set: ChannelSet): Float64Array {
    const edges = set.edges.join()
    const banks = this.ofEdges.get(edges) ?? new Float64Array(HBM_BANKS).fill(-1)
    this.ofEdges.set(edges, banks)
    this.ofSet.set(set, banks)
    return banks
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
