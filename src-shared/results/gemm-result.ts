import type { Bound, BreakdownPart } from '#shared/results/attention-result.ts'

/** Who computes what: a tile a block of Z, a group of tiles a panel, in steps along k. */
export interface GemmMappingResult {
  readonly tileM: number
  readonly tileN: number
  readonly tileK: number
  readonly groupX: number
  readonly groupY: number
  readonly groups: number
  readonly split: 'none' | 'k' | 'n' | 'batch'
  /** Panels of Z that a group computes one after the other, over all its products. */
  readonly outputBlocks: number
  /** Steps along k for each panel. */
  readonly steps: number
}

/** Field names are part of the command line's contract; SI units in the name. */
export interface GemmResult {
  readonly cycles: number
  readonly seconds: number
  /** Useful FLOPs over peak × time. */
  readonly matrixUtilization: number
  readonly usefulFlops: number
  /** With the padding of ragged shapes. */
  readonly executedFlops: number
  readonly hbmReadBytes: number
  readonly hbmWriteBytes: number
  readonly hbmBandwidthUtilization: number
  readonly l1PeakBytes: number
  readonly bound: Bound
  readonly mapping: GemmMappingResult
  /** Exposed time; the parts add up to the runtime. */
  readonly breakdown: readonly BreakdownPart[]
  readonly peakFlopsPerSecond: number
  readonly peakHbmBytesPerSecond: number
}
