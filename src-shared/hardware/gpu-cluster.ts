import type { Bytes, BytesPerSecond } from '#shared/units/quantity.ts'

/** GPUs that are known by their peaks and by what share of them is reached. */
export interface GpuCluster {
  readonly gpus: number
  /** FLOP/s of one GPU, dense. */
  readonly peak: { readonly fp8: number; readonly bf16: number }
  readonly hbm: { readonly bandwidth: BytesPerSecond; readonly capacity: Bytes }
  /** Of the network adapter of one GPU, in each direction. */
  readonly network: BytesPerSecond
  /** Shares of the peaks that are reached: by GEMMs, by attention, by the memory, by the network. */
  readonly efficiency: {
    readonly matrix: number
    readonly attention: number
    readonly hbm: number
    readonly network: number
  }
  /** Whether the loads of a kernel run during its arithmetic, or come before it. */
  readonly loadsHideBehindMath: boolean
  /** Whether the embedding counts as read whole, and not just the rows of the tokens. */
  readonly readsWholeEmbedding: boolean
}
