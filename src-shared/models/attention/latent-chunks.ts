import { LATENT_CHUNK_ELEMENTS } from '#shared/models/constants.ts'
import { latentDimensions, type AttentionWorkload } from '#shared/workload/attention.ts'

/** Pieces of the head dimension in which a kernel of absorbed MLA works, each with its width. */
export interface LatentChunks {
  /** Of the latent vector: contraction of the scores, and columns of the output. */
  readonly latent: readonly number[]
  /** Of the part with the position: contraction of the scores only. */
  readonly rope: readonly number[]
}

/**
 * Cuts the head dimensions of an MLA layer into chunks that fit into the buffers of a tile:
 * 4 × 128 and 64 for DeepSeek.
 */
export function latentChunks(workload: AttentionWorkload): LatentChunks {
  const { latentDim, ropeDim } = latentDimensions(workload)
  return { latent: chunksOf(latentDim), rope: chunksOf(ropeDim) }
}

function chunksOf(length: number): number[] {
  const count = Math.ceil(length / LATENT_CHUNK_ELEMENTS)
  return Array.from({ length: count }, (_, index) =>
    Math.min(LATENT_CHUNK_ELEMENTS, length - index * LATENT_CHUNK_ELEMENTS),
  )
}
