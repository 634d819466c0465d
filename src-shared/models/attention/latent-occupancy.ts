import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { latentChunks } from '#shared/models/attention/latent-chunks.ts'
import { bytes, type Bytes } from '#shared/units/quantity.ts'
import { elementBytes, headDimensions, type AttentionWorkload } from '#shared/workload/attention.ts'

/** What the buffers of a kernel depend on. */
export interface LatentKind {
  readonly dataflow: Dataflow
  /** Several column blocks: the running maximum may still rescale O. */
  readonly keepsMaximum: boolean
}

/** Whether a tile keeps all of Q for the column blocks of a row block, instead of chunks. */
export const keepsWholeQuery = (dataflow: Dataflow): boolean => dataflow === 'flash-mla-fair'

/** How many buffers of each kind a tile has in absorbed MLA. */
export interface LatentBuffers {
  /** Chunks of Q, Br × c; a fraction where the whole of Q is no multiple of a chunk. */
  readonly query: number
  /** Chunks of K and of V, Bc × c. */
  readonly keyValue: number
  /** Slices of scores, Br × Bc. */
  readonly scores: number
  /** Chunks of O, Br × c. */
  readonly output: number
  /** State vectors, Br. */
  readonly state: number
}

/**
 * Buffers of a tile in absorbed MLA with n chunks of the latent.
 *
 * K and V chunks are double-buffered, for the next is loaded while one is multiplied; so is Q, unless
 * a tile keeps all of it. One sequence at a time keeps all n chunks of its output; so do both of two
 * interleaved ones where the running maximum may still rescale them. With a single column block the
 * scores are normalised before they are multiplied, and three chunks of output do: one that is
 * computed, one that is reduced and stored, one that is cleared.
 *
 * Source: 11 buffers of 128 × 128 elements and 5 state vectors in the public FlatMLA kernels, for
 *   n = 4; the running maximum of two interleaved sequences is Tessera's.
 */
function buffersOf(workload: AttentionWorkload, kind: LatentKind): LatentBuffers {
  const chunks = latentChunks(workload).latent.length
  const query = keepsWholeQuery(kind.dataflow)
    ? headDimensions(workload).score / chunkWidth(workload)
    : 2
  const common = { query, keyValue: 4 }
  if (kind.dataflow !== 'flat-async') return { ...common, scores: 1, output: chunks, state: 5 }
  return kind.keepsMaximum
    ? { ...common, scores: 2, output: 2 * chunks, state: 10 }
    : { ...common, scores: 2, output: Math.min(3, 2 * chunks), state: 5 }
}

/** Elements of the widest chunk, which the buffers are made for. */
export function chunkWidth(workload: AttentionWorkload): number {
  const { latent, rope } = latentChunks(workload)
  return Math.max(...latent, ...rope)
}

/** The query rows and KV columns of a tile. */
interface LatentSlice {
  readonly sliceRows: number
  readonly sliceCols: number
}

function elementsOf(
  { sliceRows, sliceCols }: LatentSlice,
  workload: AttentionWorkload,
  buffers: LatentBuffers,
): number {
  return (
    chunkWidth(workload) *
      (sliceRows * (buffers.query + buffers.output) + sliceCols * buffers.keyValue) +
    sliceRows * sliceCols * buffers.scores +
    sliceRows * buffers.state
  )
}

/**
 * The buffers of a kernel. Where sequences are interleaved, a last one without a partner runs alone:
 * then those of the two ways that take more.
 *
 * Checked by: test/src-shared/models/attention/latent-occupancy.test.ts
 */
export function latentBuffers(
  slice: LatentSlice,
  workload: AttentionWorkload,
  kind: LatentKind,
): LatentBuffers {
  const own = buffersOf(workload, kind)
  if (kind.dataflow !== 'flat-async') return own
  const alone = buffersOf(workload, { ...kind, dataflow: 'flat-hc' })
  return elementsOf(slice, workload, alone) > elementsOf(slice, workload, own) ? alone : own
}

/**
 * Bytes of L1 that one tile of absorbed MLA needs.
 *
 *   L = e · (c · (Br·(n_Q + n_O) + Bc·n_KV) + Br·Bc·n_A + Br·n_s)
 *
 * c  elements of a chunk    n_Q … n_s  latentBuffers
 */
export function latentOccupancy(
  slice: LatentSlice,
  workload: AttentionWorkload,
  kind: LatentKind,
): Bytes {
  const buffers = latentBuffers(slice, workload, kind)
  return bytes(elementBytes(workload.dtype) * elementsOf(slice, workload, buffers))
}
