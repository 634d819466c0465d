import type { Bound } from '#shared/results/attention-result.ts'

/** What the runtime of a vector kernel is spent on, in the order of its table. */
export const vectorComponents = ['vector', 'scalar', 'hbm', 'noc', 'other'] as const

export type VectorComponent = (typeof vectorComponents)[number]

/** As tables name them. */
export const vectorComponentLabels: Readonly<Record<VectorComponent, string>> = {
  vector: 'Vector',
  scalar: 'Scalar cores',
  hbm: 'HBM',
  noc: 'NoC',
  other: 'Barriers',
}

export interface VectorBreakdownPart {
  readonly component: VectorComponent
  readonly seconds: number
}

/** Who computes what: the tokens go round the tiles. */
export interface VectorMappingResult {
  /** Tiles that have a token. */
  readonly activeTiles: number
  /** Tokens of the busiest tile, one after the other. */
  readonly tokensPerTile: number
  /** Vector engines that share a token. */
  readonly enginesPerToken: number
}

/** Field names are part of the command line's contract; SI units in the name. */
export interface VectorResult {
  /** Of the timer that was asked for. */
  readonly cycles: number
  readonly seconds: number
  /** Until tile 0 leaves the kernel: without the last store, slower tiles and a closing barrier. */
  readonly cyclesFirstTile: number
  /** Until all tiles are through, with the barrier that closes the kernel. */
  readonly cyclesAllTiles: number
  readonly hbmReadBytes: number
  readonly hbmWriteBytes: number
  /** Bytes over the peak of the channels, until all tiles are through. */
  readonly hbmBandwidthUtilization: number
  /** Arithmetic operations over all lanes of the chip, until all tiles are through. */
  readonly vectorUtilization: number
  readonly l1PeakBytes: number
  readonly bound: Bound
  readonly mapping: VectorMappingResult
  /** The parts add up to the runtime. */
  readonly breakdown: readonly VectorBreakdownPart[]
  readonly peakHbmBytesPerSecond: number
}
