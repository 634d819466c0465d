import { tileCount, type Chip } from '#shared/hardware/chip.ts'
import {
  flitsOf,
  hardwareMulticast,
  hardwareReduction,
} from '#shared/models/collectives/hardware-collectives.ts'
import { DMA_BURST_BYTES, HBM_ISSUE_CYCLES, STORE_ISSUE_CYCLES } from '#shared/models/constants.ts'
import { Activity, type TileEngine } from '#shared/models/event/activity.ts'
import { HbmChannels, type RowLatencies } from '#shared/models/event/hbm-channels.ts'
import { blockBytes, HbmTransfers, type MemoryBlock } from '#shared/models/event/hbm-transfer.ts'
import { LineTransfer } from '#shared/models/event/line-transfer.ts'
import { MeshLinks } from '#shared/models/event/mesh-links.ts'
import { Signal, Simulator } from '#shared/models/event/simulator.ts'
import { spanOf, type TileArea } from '#shared/models/event/tile-area.ts'
import type { BreakdownComponent } from '#shared/results/attention-result.ts'
import { bytes } from '#shared/units/quantity.ts'

/** What is to be watched besides the runtime. */
export interface Watch {
  /** Tiles whose operations are kept for a timeline. */
  readonly timelineTiles: readonly number[]
  /** Tiles over whose exposed time the breakdown is averaged. */
  readonly sampledTiles: readonly number[]
}

/**
 * The chip as programs see it: engines of the tiles, the mesh, HBM and barriers. Each operation
 * returns the moment of its end, or a signal where that depends on others. Every operation of a
 * program is noted for utilisations, timelines and the breakdown.
 */
export class TileMachine {
  readonly chip: Chip
  readonly simulator = new Simulator()
  readonly links: MeshLinks
  readonly channels: HbmChannels
  readonly activity: Activity
  private readonly transfers: HbmTransfers

  /** @param latencies of the memory, where they are not those of whole loads */
  constructor(chip: Chip, watch: Watch, latencies?: RowLatencies) {
    this.chip = chip
    this.links = new MeshLinks(chip)
    this.channels = new HbmChannels(chip, latencies)
    this.transfers = new HbmTransfers(chip, this.links, this.channels, this.simulator)
    this.activity = new Activity(tileCount(chip), watch.timelineTiles, watch.sampledTiles)
  }

  get now(): number {
    return this.simulator.now
  }

  tileAt(x: number, y: number): number {
    return y * this.chip.tiles.x + x
  }

  /** Occupies an engine of a tile for some cycles from now on. */
  compute(
    tile: number,
    engine: TileEngine,
    component: BreakdownComponent,
    name: string,
    cycles: number,
  ): number {
    const start = this.now
    const end = start + cycles
    if (cycles > 0) this.activity.note(tile, engine, component, name, start, end)
    return end
  }

  /**
   * Loads a block from HBM into the L1 of a tile.
   *
   * @param issue cycles before the transfer starts
   */
  load(tile: number, block: MemoryBlock, name: string, issue = HBM_ISSUE_CYCLES): Signal {
    return this.memory(tile, block, name, false, issue)
  }

  /** Stores a block; it is done when the write buffers have taken it. */
  store(tile: number, block: MemoryBlock, name: string): Signal {
    return this.memory(tile, block, name, true, STORE_ISSUE_CYCLES)
  }

  /** Copies data of one tile to all of an area, by the routers. */
  multicast(from: number, area: TileArea, size: number, name: string): Signal {
    return this.collective(from, area, size, {
      name,
      component: 'multicast',
      time: hardwareMulticast(bytes(size), spanOf(area), this.chip),
    })
  }

  /** Combines the data of all tiles of an area into one tile, by the routers. */
  reduce(
    into: number,
    area: TileArea,
    size: number,
    name: string,
    component: 'max-reduction' | 'sum-reduction',
  ): Signal {
    return this.collective(into, area, size, {
      name,
      component,
      time: hardwareReduction(bytes(size), spanOf(area), this.chip),
    })
  }

  /** Moves data between the L1 of two tiles; `fixed` cycles of software go with it. */
  unicast(
    from: number,
    to: number,
    size: number,
    fixed: number,
    name: string,
    component: BreakdownComponent,
  ): Signal {
    return this.collective(from, to, size, {
      name,
      component,
      time: fixed + flitsOf(bytes(size), this.chip),
    })
  }

  private collective(
    from: number,
    to: TileArea | number,
    size: number,
    kind: {
      readonly name: string
      readonly component: BreakdownComponent
      readonly time: number
    },
  ): Signal {
    if (kind.time <= 0 || size <= 0) return this.nothing
    const start = this.now
    const done = new LineTransfer(this.links, this.simulator, {
      from,
      to,
      flits: flitsOf(bytes(size), this.chip),
      idleTime: kind.time,
      burstFlits: Math.max(1, flitsOf(bytes(DMA_BURST_BYTES), this.chip)),
    }).start()
    this.noteAtEnd(done, from, kind, start, size)
    return done
  }

  private memory(
    tile: number,
    block: MemoryBlock,
    name: string,
    isWrite: boolean,
    issue: number,
  ): Signal {
    const start = this.now
    if (blockBytes(block) <= 0) return this.nothing
    const done = new Signal(this.simulator)
    this.simulator.schedule(start + issue, {
      fire: () => {
        this.transfers.start(tile, block, isWrite).wake({
          fire: () => {
            done.completeAt(this.now)
          },
        })
      },
    })
    this.noteAtEnd(done, tile, { name, component: 'hbm' }, start, blockBytes(block))
    return done
  }

  private noteAtEnd(
    done: Signal,
    tile: number,
    { name, component }: { readonly name: string; readonly component: BreakdownComponent },
    start: number,
    size: number,
  ): void {
    done.wake({
      fire: () => {
        this.activity.note(tile, 'dma', component, name, start, this.now, size)
      },
    })
  }

  /** A signal that has come already. */
  get nothing(): Signal {
    const nothing = new Signal(this.simulator)
    nothing.completeAt(this.now)
    return nothing
  }
}
