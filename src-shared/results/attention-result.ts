/** What runtime is exposed to, in the order of the stacked bars. */
export const breakdownComponents = [
  'matrix',
  'vector',
  'hbm',
  'multicast',
  'max-reduction',
  'sum-reduction',
  'other',
] as const

export type BreakdownComponent = (typeof breakdownComponents)[number]

/** As tables, charts and texts name them. */
export const componentLabels: Readonly<Record<BreakdownComponent, string>> = {
  matrix: 'Matrix',
  vector: 'Vector',
  hbm: 'HBM',
  multicast: 'Multicast',
  'max-reduction': 'Max reduction',
  'sum-reduction': 'Sum reduction',
  other: 'Other',
}

export interface BreakdownPart {
  readonly component: BreakdownComponent
  /**
   * Exposed time: vector time that no matrix operation hides; for the others, time that neither
   * hides. The parts add up to the runtime.
   */
  readonly seconds: number
}

export type Bound = 'compute' | 'memory' | 'noc' | 'synchronization'

/** What people read. */
export const boundLabels: Readonly<Record<Bound, string>> = {
  compute: 'compute',
  memory: 'memory',
  noc: 'NoC',
  synchronization: 'synchronisation',
}

/** Who computes what: a group of tiles takes a block, each of its tiles a slice. */
export interface MappingResult {
  readonly groupX: number
  readonly groupY: number
  readonly groups: number
  readonly sliceRows: number
  readonly sliceCols: number
  readonly blockRows: number
  readonly blockCols: number
  /** Row blocks that a group computes for one head job. */
  readonly outerIterations: number
  /** Column blocks of a row block. */
  readonly innerIterations: number
  readonly async: boolean
}

/** Field names are part of the command line's contract; SI units in the name. */
export interface AttentionResult {
  readonly cycles: number
  readonly seconds: number
  /** Useful FLOPs over peak × time. */
  readonly matrixUtilization: number
  /** Ideal over actual time of the matrix operations themselves. */
  readonly matrixActiveUtilization: number
  readonly usefulFlops: number
  /** With the padding of ragged shapes and the masked part of the blocks on the diagonal. */
  readonly executedFlops: number
  readonly hbmReadBytes: number
  readonly hbmWriteBytes: number
  readonly hbmBandwidthUtilization: number
  readonly nocBytes: number
  readonly l1PeakBytes: number
  /** Useful FLOPs per byte that is read or written in HBM. */
  readonly arithmeticIntensity: number
  readonly bound: Bound
  readonly mapping: MappingResult
  readonly breakdown: readonly BreakdownPart[]
  /** Peaks of the chip, for the roofline. */
  readonly peakFlopsPerSecond: number
  readonly peakHbmBytesPerSecond: number
}
