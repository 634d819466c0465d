import type { EventActivity } from '#shared/results/event-activity.ts'

/** What the event engine saw besides the runtime; all times are of the part that was simulated. */
export interface EventReport {
  /** Events that were handled. */
  readonly events: number
  /** Column blocks or steps of the busiest group, and how many of them were simulated. */
  readonly iterations: number
  readonly simulatedIterations: number
  /** Cycles of the part that was simulated. */
  readonly simulatedCycles: number
  /** Utilisations of each tile, row by row from the south-west corner. */
  readonly tiles: {
    readonly columns: number
    readonly rows: number
    readonly matrix: readonly number[]
    readonly vector: readonly number[]
    readonly dma: readonly number[]
  }
  /**
   * Bytes that left each router by its links, tile after tile: east, west, north, south, and what
   * the tile itself sent; at the rim a link leads to memory.
   */
  readonly links: {
    readonly directions: readonly string[]
    readonly bytes: readonly number[]
    /** All links together, for each interval of `binCycles`. */
    readonly binCycles: number
    readonly series: readonly number[]
  }
  /** Bytes of each channel, edge by edge in the order west, north, east, south. */
  readonly channels: {
    readonly readBytes: readonly number[]
    readonly writtenBytes: readonly number[]
    readonly binCycles: number
    readonly readSeries: readonly number[]
    readonly writtenSeries: readonly number[]
  }
  /** Link by link, channel by channel and tile by tile over time, where it was asked for. */
  readonly activity?: EventActivity
}

/** One operation of an engine of a tile, in cycles. */
export interface TimelineOperation {
  readonly tile: number
  readonly engine: string
  readonly component: string
  readonly name: string
  readonly start: number
  readonly end: number
  /** Bytes that a transfer moves. */
  readonly bytes?: number
}
