import type { BreakdownPart } from '#shared/results/attention-result.ts'

/** One kernel of the group scale study. */
export interface GroupPoint {
  readonly length: number
  /** Side of the square group, in tiles. */
  readonly group: number
  readonly sliceRows: number
  readonly sliceCols: number
  readonly seconds: number
  readonly matrixUtilization: number
  readonly matrixActiveUtilization: number
  readonly breakdown: readonly BreakdownPart[]
  /** As published for the chip of the paper; null elsewhere. */
  readonly publishedSeconds: number | null
  readonly publishedActiveUtilization: number | null
}

/** One slice of the slice study. */
export interface SlicePoint {
  readonly headDim: number
  /** Rows and columns of the square slice. */
  readonly slice: number
  /** Ideal over actual cycles of the two matrix operations of a slice. */
  readonly matrixUtilization: number
  readonly l1Bytes: number
  readonly fits: boolean
  /** Published bytes of the buffers; null where there are none. */
  readonly publishedBytes: number | null
}

/** One collective of the collectives study. */
export interface CollectivePoint {
  readonly operation: 'multicast' | 'sum'
  readonly implementation: 'hw' | 'sw-tree' | 'sw-seq'
  readonly bytes: number
  readonly seconds: number
  /** Runtime over that of the hardware collective. */
  readonly overHardware: number
  readonly publishedOverHardware: number | null
}

export type StudyResult =
  | {
      readonly study: 'group-scale'
      readonly points: readonly GroupPoint[]
      /** What is seen, in sentences. */
      readonly findings: readonly string[]
      readonly source: string
    }
  | {
      readonly study: 'slice'
      readonly points: readonly SlicePoint[]
      readonly capacityBytes: number
      readonly findings: readonly string[]
      readonly source: string
    }
  | {
      readonly study: 'collectives'
      readonly points: readonly CollectivePoint[]
      readonly participants: number
      readonly findings: readonly string[]
      readonly source: string
    }
