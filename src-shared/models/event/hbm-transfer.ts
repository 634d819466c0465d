import type { Chip, Edge } from '#shared/hardware/chip.ts'
import { HBM_TURN_BYTES, OUTSTANDING_FLITS } from '#shared/models/constants.ts'
import { Burst } from '#shared/models/event/hbm-burst.ts'
import type { TimedEvent } from '#shared/models/event/event-queue.ts'
import type { ChannelSet, HbmChannels } from '#shared/models/event/hbm-channels.ts'
import type { FlitRun, MeshLinks } from '#shared/models/event/mesh-links.ts'
import { RowLoads } from '#shared/models/event/row-loads.ts'
import { Signal, type Simulator } from '#shared/models/event/simulator.ts'

/** A rectangle of memory: `rows` stretches of `rowBytes`, `stride` apart. */
export interface MemoryBlock {
  readonly set: ChannelSet
  readonly address: number
  readonly rows: number
  readonly rowBytes: number
  readonly stride: number
}

export const blockBytes = (block: MemoryBlock): number => block.rows * block.rowBytes

/**
 * Moves blocks between the tiles and HBM.
 *
 * A tile injects one flit per cycle, as long as fewer than columns + rows + 64 flits are under way;
 * a block of several rows starts one row in every `dmaRowIssue` cycles. A request, of a read too,
 * takes the links from the tile to the edge; data of a read come back beside them. Flits go in turns
 * of 2 KiB, each of which is one event: they take their places on the links as a run, and on the
 * channels one by one.
 *
 * Transfers that share channels take turns there: while n of them are under way, a turn is over no
 * sooner than n such turns have been served. Without that, the first of several tiles that
 * start together would be through long before the last, which was not observed: tiles of
 * FlashAttention stay in lock-step on the reference simulator. A transfer that is a single turn is
 * served as a whole, and waits for nobody that comes after it: of 256 tiles that load two rows of 2 KiB
 * each, the first one waited for less than half of the bytes of all. Loads of several short rows drift
 * apart where those of one column issue more flits than its link takes: then the links decide who is
 * first, as was observed in MLA (decode on 32 × 32 tiles, FlashMLA on 8 × 8) and not where the loads of
 * a column fit its link.
 *
 * Source: DMA, network interface and router of the public simulator.
 * Checked by: the validation sets of the event engine.
 */
export class HbmTransfers {
  readonly links: MeshLinks
  readonly channels: HbmChannels
  readonly burstFlits: number
  readonly flitBytes: number
  readonly rowIssue: number
  /** Filled and sent within one event, so that one serves all. */
  readonly burst: Burst
  private readonly outstanding: number
  private readonly simulator: Simulator
  /** Per tile: when each of the flits that may be under way is back. */
  private readonly returns: Float64Array
  private readonly sent: Float64Array
  private readonly queues = new Map<number, HbmTransfer[]>()
  private readonly active = new Map<ChannelSet, number>()
  readonly rowLoads: RowLoads
  private readonly ready = new Map<ChannelSet, number>()
  private readonly run: FlitRun = { head: 0, tail: 0 }

  constructor(
    chip: Pick<Chip, 'tiles' | 'noc' | 'control'>,
    links: MeshLinks,
    channels: HbmChannels,
    simulator: Simulator,
  ) {
    this.links = links
    this.channels = channels
    this.simulator = simulator
    this.flitBytes = chip.noc.flit
    this.burstFlits = Math.max(1, Math.floor(HBM_TURN_BYTES / chip.noc.flit))
    this.burst = new Burst(this.burstFlits)
    this.rowIssue = chip.control.dmaRowIssue
    this.rowLoads = new RowLoads(chip)
    this.outstanding = chip.tiles.x + chip.tiles.y + OUTSTANDING_FLITS
    const tiles = chip.tiles.x * chip.tiles.y
    this.returns = new Float64Array(tiles * this.outstanding)
    this.sent = new Float64Array(tiles)
  }

  /** Queues a transfer of a tile's DMA; the signal comes when all data are there. */
  start(tile: number, block: MemoryBlock, isWrite: boolean): Signal {
    const done = new Signal(this.simulator)
    if (blockBytes(block) <= 0) {
      done.completeAt(this.simulator.now)
      return done
    }
    const transfer = new HbmTransfer(this, tile, block, isWrite, done)
    const queue = this.queues.get(tile)
    if (queue === undefined) {
      this.queues.set(tile, [transfer])
      transfer.begin(this.simulator.now)
    } else {
      queue.push(transfer)
    }
    return done
  }

  /** The next transfer of a tile follows when the flits of this one have been injected. */
  next(tile: number, time: number): void {
    const queue = this.queues.get(tile)
    queue?.shift()
    const following = queue?.[0]
    if (following === undefined) this.queues.delete(tile)
    else following.begin(time)
  }

  /** One more transfer shares a set of channels. The first one after a pause opens its row. */
  join(tile: number, block: MemoryBlock): void {
    const { set, address } = block
    this.rowLoads.count(tile, block, 1)
    const active = this.active.get(set) ?? 0
    if (active === 0) this.ready.set(set, this.now + this.channels.openingTime(address, set))
    this.active.set(set, active + 1)
  }

  leave(tile: number, block: MemoryBlock): void {
    const { set } = block
    this.rowLoads.count(tile, block, -1)
    this.active.set(set, (this.active.get(set) ?? 0) - 1)
  }

  /** When the channels can serve what is sent to them now. */
  readyTime(set: ChannelSet): number {
    return Math.max(this.now, this.ready.get(set) ?? 0)
  }

  /** When the channels will have served as much of each transfer that shares them. */
  fairTime(set: ChannelSet, service: number): number {
    const turn = (this.active.get(set) ?? 1) * service
    return this.readyTime(set) + turn / set.channels.length
  }

  schedule(time: number, event: TimedEvent): void {
    this.simulator.schedule(time, event)
  }

  get now(): number {
    return this.simulator.now
  }

  /** Earliest moment at which a tile may inject its next flit, as far as flits under way go. */
  window(tile: number, ahead = 0): number {
    const sent = (this.sent[tile] ?? 0) + ahead
    return this.returns[tile * this.outstanding + (sent % this.outstanding)] ?? 0
  }

  /**
   * Sends a burst: `addresses` and `sizes` of its lines, and the moments at which the DMA has issued
   * them. The burst then knows when the last line is back.
   */
  sendBurst(burst: Burst, tile: number, set: ChannelSet, access: Access): void {
    const { count, issued } = burst
    const { outstanding, returns, links, run, channels } = this
    if (set.edges.length > 1) {
      for (let index = 0; index < count; index++) {
        burst.positions[index] = channels.channelOf(burst.addresses[index] ?? 0, set)
      }
    }
    const first = this.sent[tile] ?? 0
    const base = tile * outstanding
    let time = this.now - 1
    for (let index = 0; index < count; index++) {
      const free = returns[base + ((first + index) % outstanding)] ?? 0
      time = Math.max(time + 1, free, issued[index] ?? 0)
      if (index === 0) run.head = time
    }
    run.tail = time
    links.inject(tile, run, count)
    burst.injected = run.tail + 1
    const { head, tail } = run
    for (const edge of set.edges) {
      run.head = head
      run.tail = tail
      this.reach(burst, tile, edge, set, access)
    }
    let latest = 0
    for (let index = 0; index < count; index++) {
      latest = Math.max(latest, burst.back[index] ?? 0)
      returns[base + ((first + index) % outstanding)] = latest
    }
    burst.done = latest
    this.sent[tile] = first + count
  }

  private reach(burst: Burst, tile: number, edge: Edge, set: ChannelSet, access: Access): void {
    const { run, channels } = this
    const { addresses, sizes, back, positions, count } = burst
    let lines = count
    if (set.edges.length > 1) {
      lines = 0
      for (let index = 0; index < count; index++) {
        if (set.edgeOf[positions[index] ?? 0] === edge) lines++
      }
      if (lines === 0) return
    }
    this.links.leave(tile, edge, run, lines)
    const gap = lines > 1 ? (run.tail - run.head) / (lines - 1) : 0
    let arrival = access === 'read' ? Math.max(run.head, this.readyTime(set)) : run.head
    for (let index = 0; index < count; index++) {
      if (set.edges.length > 1 && set.edgeOf[positions[index] ?? 0] !== edge) continue
      const address = addresses[index] ?? 0
      const size = sizes[index] ?? 0
      back[index] =
        access === 'read'
          ? channels.readLine(address, arrival, set, size)
          : channels.writeLine(address, arrival, set, size, access === 'write' ? tile : undefined)
      arrival += gap
    }
  }
}

/** Write buffers take what is contiguous; a transfer of several rows waits for the channels. */
type Access = 'read' | 'write' | 'write-rows'

class HbmTransfer implements TimedEvent {
  private readonly transfers: HbmTransfers
  private readonly tile: number
  private readonly block: MemoryBlock
  private readonly isWrite: boolean
  private readonly access: Access
  private readonly done: Signal
  private readonly takesTurns: boolean
  private started = 0
  private row = 0
  /** Bytes of the current row that have been sent. */
  private offset = 0
  private latest = 0

  constructor(
    transfers: HbmTransfers,
    tile: number,
    block: MemoryBlock,
    isWrite: boolean,
    done: Signal,
  ) {
    this.transfers = transfers
    this.tile = tile
    this.block = block
    this.isWrite = isWrite
    this.access = isWrite ? (block.rows > 1 ? 'write-rows' : 'write') : 'read'
    this.done = done
    this.takesTurns = !isWrite && blockBytes(block) > HBM_TURN_BYTES
  }

  begin(time: number): void {
    this.started = time
    if (!this.isWrite) this.transfers.join(this.tile, this.block)
    this.transfers.schedule(Math.max(time, this.transfers.window(this.tile)), this)
  }

  fire(): void {
    const { transfers, tile, block } = this
    const burst = this.fill()
    transfers.sendBurst(burst, tile, block.set, this.access)
    const takesTurns = this.takesTurns && !transfers.rowLoads.areCrowded(tile, block)
    const fair = takesTurns ? transfers.fairTime(block.set, burst.service) : 0
    const latency = transfers.channels.openLatency
    this.latest = Math.max(this.latest, burst.done, fair + latency)
    if (this.row < block.rows) {
      transfers.schedule(Math.max(burst.injected, transfers.window(tile), fair), this)
      return
    }
    this.done.completeAt(this.latest)
    if (this.isWrite) {
      transfers.next(tile, burst.injected)
      return
    }
    transfers.schedule(this.latest - latency, {
      fire: () => {
        transfers.leave(tile, block)
      },
    })
    transfers.next(tile, burst.injected)
  }

  /** The next lines, at most a burst of them. */
  private fill(): Burst {
    const { transfers, block } = this
    const { burst, flitBytes, rowIssue, burstFlits } = transfers
    let count = 0
    let service = 0
    let time = transfers.now
    while (count < burstFlits && this.row < block.rows) {
      const issued = block.rows > 1 ? this.started + this.row * rowIssue : 0
      // A burst ends where the next flit would have to wait for more than the DMA: others may come first.
      const earliest = Math.max(issued, transfers.window(this.tile, count))
      if (count > 0 && earliest > time + Math.max(1, rowIssue)) break
      time = Math.max(time + 1, earliest)
      const address = block.address + this.row * block.stride + this.offset
      const size = Math.min(flitBytes - (address % flitBytes), block.rowBytes - this.offset)
      burst.addresses[count] = address
      burst.sizes[count] = size
      burst.issued[count] = issued
      service += transfers.channels.serviceOf(address, size)
      count++
      this.offset += size
      if (this.offset >= block.rowBytes) {
        this.row++
        this.offset = 0
      }
    }
    burst.count = count
    burst.service = service
    return burst
  }
}
