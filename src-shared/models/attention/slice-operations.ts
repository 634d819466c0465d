import { latentChunks } from '#shared/models/attention/latent-chunks.ts'
import type { MatrixShape } from '#shared/models/engines/matrix-engine.ts'
import { headDimensions, isAbsorbed, type AttentionWorkload } from '#shared/workload/attention.ts'

export interface SliceOperations {
  /** Q · Kᵀ: one for each chunk of the contraction. */
  readonly scores: readonly MatrixShape[]
  /** P · V: one for each chunk of the output. */
  readonly output: readonly MatrixShape[]
}

/** The matrix operations of a slice: two, or in chunks where MLA is absorbed. */
export function sliceOperations(
  { sliceRows, sliceCols }: { readonly sliceRows: number; readonly sliceCols: number },
  workload: AttentionWorkload,
): SliceOperations {
  const { score, value } = headDimensions(workload)
  const chunks = latentChunks(workload)
  const keys = isAbsorbed(workload) ? [...chunks.latent, ...chunks.rope] : [score]
  const values = isAbsorbed(workload) ? chunks.latent : [value]
  return {
    scores: keys.map(contraction => ({ rows: sliceRows, contraction, columns: sliceCols })),
    output: values.map(columns => ({ rows: sliceRows, contraction: sliceCols, columns })),
  }
}
