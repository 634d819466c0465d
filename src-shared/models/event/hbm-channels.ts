import type { Chip, Edge } from '#shared/hardware/chip.ts'
import {
  HBM_ACCESS_BYTES,
  HBM_REFRESH,
  HBM_ROW_BYTES,
  HBM_ROW_LATENCY,
  HBM_WRITE_BUFFER_BYTES,
  POSTED_WRITE_RATE,
} from '#shared/models/constants.ts'
import { rowLatencies } from '#shared/models/memory/hbm.ts'
import { ServiceLines } from '#shared/models/event/service-lines.ts'
import { TimeBins } from '#shared/models/event/time-bins.ts'

/** Channels over which an operand is interleaved: those behind one or several edges. */
export interface ChannelSet {
  /** Index of each channel on the chip. */
  readonly channels: readonly number[]
  readonly edges: readonly Edge[]
  /** The edge of each channel. */
  readonly edgeOf: readonly Edge[]
  /** Binary logarithm of their number, or undefined where that is no power of two. */
  readonly bits: number | undefined
}

const edgeOrder: readonly Edge[] = ['west', 'north', 'east', 'south']

/** The channels behind some edges; on the chip they are numbered edge by edge. */
export function channelsBehind(some: readonly Edge[], chip: Pick<Chip, 'hbm'>): ChannelSet {
  const channels: number[] = []
  const edgeOf: Edge[] = []
  let first = 0
  for (const edge of edgeOrder) {
    const count = chip.hbm.channels[edge]
    if (some.includes(edge)) {
      for (let index = 0; index < count; index++) {
        channels.push(first + index)
        edgeOf.push(edge)
      }
    }
    first += count
  }
  const bits = Math.log2(channels.length)
  return {
    channels,
    edges: edgeOrder.filter(edge => edgeOf.includes(edge)),
    edgeOf,
    bits: Number.isInteger(bits) ? bits : undefined,
  }
}

/** Cycles until an access to an open row is answered, and that an idle channel takes to open another. */
export interface RowLatencies {
  readonly open: number
  readonly opening: number
}

/** Those of the memory alone, as the phase engine has them for vector kernels. */
export const memoryLatencies = ({ hbm }: Pick<Chip, 'hbm'>): RowLatencies => ({
  open: HBM_ROW_LATENCY.open * hbm.latency,
  opening: (HBM_ROW_LATENCY.closed - HBM_ROW_LATENCY.open) * hbm.latency,
})

/**
 * The HBM channels as FIFO servers.
 *
 * Lines of one flit are interleaved over the channels of an operand; where their number is a power
 * of two, all address bits are folded into the channel by exclusive or, so that strides that are
 * powers of two do not meet on one channel. A line takes (flit / rate / efficiency) cycles of its
 * channel; a part of a line, such as a short row of a matrix, the accesses of 64 bytes that it
 * touches. An access takes the latency of an open row; where a row is closed, a channel that has
 * nothing else to do waits for it to open. A refresh of 0.26 µs falls due every 3 µs; the channel
 * makes it up as soon as it idles for that long, and at the latest when as many are owed as may be
 * postponed.
 *
 * Writes are posted. Of a tile that goes on writing, a write buffer takes the lines at 4/3 of the rate
 * of the channel, as long as it has room; where the tiles change, a line waits until its turn comes. A
 * transfer of several rows is done when the channels have served it: four tiles that stored 128 rows
 * of 128 bytes each took the peak of their four channels, 260 to 269 bytes per cycle, whatever the
 * distance of the rows.
 *
 * Source: public configuration of the reference simulator (JEDEC HBM2E); efficiency, latencies and
 *   the rate of the buffers measured on it for one tile (resources/published/dma-2026.json); that many
 *   tiles store at the rate of the channels follows from resources/published/vector-kernels-2026.json.
 * Leaves out: rows that are closed between accesses cost latency, not bandwidth.
 */
export class HbmChannels {
  readonly count: number
  readonly read: TimeBins
  readonly written: TimeBins
  /** Time at which each channel is through with all that it has been asked for. */
  private readonly lines: ServiceLines
  private readonly accepted: Float64Array
  /** Per channel: the tile whose line it has taken last. */
  private readonly writer: Int32Array
  private readonly refreshes: Float64Array
  private readonly openRow: Float64Array
  readonly service: number
  private readonly opening: number
  readonly openLatency: number
  private readonly interval: number
  private readonly refresh: number
  private readonly postponed: number
  private readonly buffered: number
  private readonly flit: number

  constructor(
    chip: Pick<Chip, 'hbm' | 'clock' | 'noc'>,
    latencies: RowLatencies = rowLatencies(chip),
  ) {
    const { hbm, clock, noc } = chip
    this.count = edgeOrder.reduce((sum, edge) => sum + hbm.channels[edge], 0)
    this.read = new TimeBins(this.count)
    this.written = new TimeBins(this.count)
    this.accepted = new Float64Array(this.count)
    this.writer = new Int32Array(this.count).fill(NOBODY)
    this.refreshes = new Float64Array(this.count)
    this.openRow = new Float64Array(this.count * HBM_BANKS).fill(-1)
    this.flit = noc.flit
    this.service = (noc.flit / (hbm.channelRate * hbm.efficiency)) * clock
    this.lines = new ServiceLines(
      this.count,
      this.service * Math.min(1, HBM_ACCESS_BYTES / noc.flit),
    )
    this.opening = latencies.opening
    this.openLatency = latencies.open
    this.interval = HBM_REFRESH.intervalSeconds * clock
    this.refresh = HBM_REFRESH.durationSeconds * clock
    this.postponed = hbm.postponedRefreshes
    this.buffered = (HBM_WRITE_BUFFER_BYTES / noc.flit) * this.service
  }

  /** Which channel of a set holds the line of an address. */
  channelOf(address: number, set: ChannelSet): number {
    const { bits } = set
    let line = Math.floor(address / this.flit)
    if (bits === undefined) return line % set.channels.length
    if (bits === 0) return 0
    const mask = (1 << bits) - 1
    let channel = 0
    while (line > 0) {
      channel ^= line & mask
      line >>>= bits
    }
    return channel
  }

  /** Cycles of its channel that a line takes, or a part of one. */
  serviceOf(address: number, bytes: number): number {
    const { flit } = this
    if (bytes >= flit) return this.service
    const first = Math.floor(address / HBM_ACCESS_BYTES)
    const last = Math.floor((address + bytes - 1) / HBM_ACCESS_BYTES)
    return this.service * Math.min(1, ((last - first + 1) * HBM_ACCESS_BYTES) / flit)
  }

  /** Reads a line that is asked for at a moment; when its data come back. */
  readLine(address: number, time: number, set: ChannelSet, bytes: number): number {
    const position = this.channelOf(address, set)
    const channel = set.channels[position] ?? 0
    this.openRow[this.bankOf(channel, address, set)] = this.rowOf(address, set)
    const service = this.serviceOf(address, bytes)
    const start = this.occupy(channel, time, service)
    this.read.add(channel, start, bytes)
    return start + service + this.openLatency
  }

  /**
   * Writes a line that arrives at a moment; when a write buffer has taken it, or the channel where no
   * buffer does.
   *
   * @param writer the tile; undefined for a transfer of several rows, which is not buffered
   */
  writeLine(
    address: number,
    time: number,
    set: ChannelSet,
    bytes: number,
    writer: number | undefined,
  ): number {
    const channel = set.channels[this.channelOf(address, set)] ?? 0
    const service = this.serviceOf(address, bytes)
    const start = this.occupy(channel, time, service)
    this.written.add(channel, start, bytes)
    const goesOn = this.writer[channel] === writer
    this.writer[channel] = writer ?? NOBODY
    if (writer === undefined) return start + service
    const taken = goesOn
      ? Math.max(
          time,
          (this.accepted[channel] ?? 0) + service / POSTED_WRITE_RATE,
          start - this.buffered,
        )
      : start
    this.accepted[channel] = taken
    return taken
  }

  private occupy(channel: number, time: number, service: number): number {
    const { lines, refreshes } = this
    let done = refreshes[channel] ?? 0
    const free = lines.freeAt(channel)
    const due = Math.floor(Math.max(time, free) / this.interval)
    if (done < due) {
      // What is owed is made up in an idle time, or when no more may be postponed.
      const idle = Math.max(0, Math.floor((time - free) / this.refresh))
      const forced = Math.max(0, due - done - this.postponed)
      const refreshed = Math.min(due - done, Math.max(idle, forced))
      if (refreshed > 0) lines.serve(channel, free, refreshed * this.refresh)
      done += refreshed
      refreshes[channel] = done
    }
    return lines.serve(channel, time, service)
  }

  /** Cycles in which an idle channel opens the row of an address; none where it is open. */
  openingTime(address: number, set: ChannelSet): number {
    const channel = set.channels[this.channelOf(address, set)] ?? 0
    const open = this.openRow[this.bankOf(channel, address, set)]
    return open === this.rowOf(address, set) ? 0 : this.opening
  }

  /** Leaves the row of an address open, as somebody that has used it before. */
  openRowOf(address: number, set: ChannelSet): void {
    for (const channel of set.channels) {
      this.openRow[this.bankOf(channel, address, set)] = this.rowOf(address, set)
    }
  }

  private rowOf(address: number, set: ChannelSet): number {
    return Math.floor(address / (HBM_ROW_BYTES * set.channels.length))
  }

  private bankOf(channel: number, address: number, set: ChannelSet): number {
    return channel * HBM_BANKS + (this.rowOf(address, set) % HBM_BANKS)
  }
}

/** Groups of banks whose rows are open independently; a row spans all bank groups of one. */
export const HBM_BANKS = 4

/** No tile. */
const NOBODY = -1
