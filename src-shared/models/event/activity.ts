import type { BreakdownComponent } from '#shared/results/attention-result.ts'
import { TimeBins } from '#shared/models/event/time-bins.ts'
import { breakdownComponents } from '#shared/results/attention-result.ts'

/** Parts of a tile that work side by side; each has its lane in a timeline. */
export const tileEngines = ['matrix', 'vector', 'dma', 'sync'] as const

export type TileEngine = (typeof tileEngines)[number]

/** One operation of one engine of a tile. */
export interface Operation {
  readonly tile: number
  readonly engine: TileEngine
  readonly component: BreakdownComponent
  readonly name: string
  readonly start: number
  readonly end: number
  /** Bytes that a transfer moves. */
  readonly bytes?: number
}

/** Intervals of time for which the busy cycles of each tile are kept. */
const BINS = 64

/** Operations that are kept for a timeline: of the tiles that were asked for, up to a number. */
const MOST_OPERATIONS = 1_000_000

/**
 * Notes what the tiles do: how long the matrix and vector engines and the DMA of each are busy, the
 * operations of selected tiles, and the exposed time of a sample of tiles.
 */
export class Activity {
  /** Busy cycles of each tile over time. */
  readonly matrix: TimeBins
  readonly vector: TimeBins
  readonly dma: TimeBins
  readonly operations: Operation[] = []
  /** Operations of selected tiles that were left out since there were too many. */
  droppedOperations = 0
  private readonly timelineTiles: ReadonlySet<number>
  private readonly exposed = new Map<number, ExposedIntervals>()

  /**
   * @param timelineTiles whose operations are kept
   * @param sampledTiles whose exposed time is summed up
   */
  constructor(tiles: number, timelineTiles: readonly number[], sampledTiles: readonly number[]) {
    this.matrix = new TimeBins(tiles, BINS)
    this.vector = new TimeBins(tiles, BINS)
    this.dma = new TimeBins(tiles, BINS)
    this.timelineTiles = new Set(timelineTiles)
    for (const tile of sampledTiles) this.exposed.set(tile, new ExposedIntervals())
  }

  /** Gives a tile that is not simulated the busy times of the one that stands for it. */
  copyBusyTimes(from: number, to: number): void {
    for (const busy of [this.matrix, this.vector, this.dma]) busy.copyLine(from, to)
  }

  note(
    tile: number,
    engine: TileEngine,
    component: BreakdownComponent,
    name: string,
    start: number,
    end: number,
    bytes = 0,
  ): void {
    this.busyTimes(engine)?.addInterval(tile, start, end)
    this.exposed.get(tile)?.add(component, start, end)
    if (!this.timelineTiles.has(tile)) return
    if (this.operations.length >= MOST_OPERATIONS) this.droppedOperations++
    else {
      const moved = bytes > 0 ? { bytes } : {}
      this.operations.push({ tile, engine, component, name, start, end, ...moved })
    }
  }

  /**
   * Mean exposed time of each component over the sampled tiles up to a moment; what no operation
   * covers, such as the waiting at a barrier, is 'other'.
   */
  exposedTime(until: number): Record<BreakdownComponent, number> {
    const sums = Object.fromEntries(breakdownComponents.map(component => [component, 0])) as Record<
      BreakdownComponent,
      number
    >
    for (const intervals of this.exposed.values()) {
      const times = intervals.exposed()
      for (const component of breakdownComponents) {
        sums[component] += times[component] / this.exposed.size
      }
    }
    const covered = breakdownComponents.reduce((sum, component) => sum + sums[component], 0)
    sums.other += Math.max(0, until - covered)
    return sums
  }

  private busyTimes(engine: TileEngine): TimeBins | undefined {
    return engine === 'sync' ? undefined : this[engine]
  }
}

/**
 * Sums the time that a component is the first of those at work, in the order of the list of
 * components: time of the vector engines beside a matrix operation does not count, and so on.
 */
class ExposedIntervals {
  private readonly bounds: { time: number; component: number; change: number }[] = []
  private readonly sums = new Float64Array(breakdownComponents.length)
  private readonly active = new Int32Array(breakdownComponents.length)
  private swept = 0

  add(component: BreakdownComponent, start: number, end: number): void {
    if (end <= start) return
    const index = breakdownComponents.indexOf(component)
    this.bounds.push({ time: start, component: index, change: 1 })
    this.bounds.push({ time: end, component: index, change: -1 })
  }

  exposed(): Record<BreakdownComponent, number> {
    this.bounds.sort((a, b) => a.time - b.time || b.change - a.change)
    for (const { time, component, change } of this.bounds) {
      const first = this.active.findIndex(count => count > 0)
      if (first >= 0) this.sums[first] = (this.sums[first] ?? 0) + time - this.swept
      this.swept = time
      this.active[component] = (this.active[component] ?? 0) + change
    }
    this.bounds.length = 0
    return Object.fromEntries(
      breakdownComponents.map((component, index) => [component, this.sums[index] ?? 0]),
    ) as Record<BreakdownComponent, number>
  }
}
