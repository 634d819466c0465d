import type { DecodeKernelRow, DecodeResult } from '#shared/results/decode-result.ts'

/** One of the things that an iteration is spent on, as if it were alone. */
export interface ClusterTerm {
  readonly term: 'weights' | 'kv-cache' | 'matrix' | 'attention' | 'all-to-all'
  readonly seconds: number
}

/** A GPU cluster's numbers, under the names that those of a wafer have. */
export interface ClusterResult extends Pick<
  DecodeResult,
  | 'tpotSeconds'
  | 'iterationSeconds'
  | 'layerSeconds'
  | 'tokensPerSecondPerChip'
  | 'systemTokensPerSecond'
  | 'tokensPerSecondPerUser'
  | 'tokensPerIteration'
  | 'sequencesInFlight'
  | 'fits'
> {
  /** Where nothing overlaps they add up to the iteration. */
  readonly terms: readonly ClusterTerm[]
  readonly kernels: readonly DecodeKernelRow[]
  readonly communication: {
    /** Of one layer with experts. */
    readonly dispatchSeconds: number
    readonly combineSeconds: number
    /** What an iteration waits for them. */
    readonly exposedSeconds: number
    /** That one GPU sends in one layer, both ways together. */
    readonly bytesPerLayer: number
  }
  readonly memory: {
    readonly weightsBytes: number
    readonly kvCacheBytes: number
    readonly kvCacheBytesPerSequence: number
    readonly totalBytes: number
    readonly capacityBytes: number
    readonly missingBytes: number
  }
}
