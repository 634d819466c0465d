import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { latentOccupancy } from '#shared/models/attention/latent-occupancy.ts'
import type { TileSlice } from '#shared/models/attention/tile-costs.ts'
import { bytes, type Bytes } from '#shared/units/quantity.ts'
import {
  elementBytes,
  headDimensions,
  isAbsorbed,
  type AttentionWorkload,
} from '#shared/workload/attention.ts'

/** Whether a dataflow keeps two sets of buffers in L1. */
export const isDoubleBuffered = (dataflow: Dataflow): boolean =>
  dataflow === 'flat-async' || dataflow === 'fa3'

/**
 * Bytes of L1 that one tile needs.
 *
 *   single set   e · (Br·(d_k + d_v) + Bc·(d_k + d_v) + Br·Bc + 5·Br)
 *   two sets     twice that
 *
 * for Q, O, K, V, the scores and five state vectors (m, l, e and the m and l before); d_k and d_v
 * are the dimensions of scores and output, equal but for MLA.
 *
 * Source: buffers of the public FlatAttention kernels; equal to resources/published/fig11-l1-occupancy.json.
 */
export function l1Occupancy(slice: TileSlice, dataflow: Dataflow): Bytes {
  const { sliceRows, sliceCols, dimensions } = slice
  const both = dimensions.score + dimensions.value
  const elements = sliceRows * both + sliceCols * both + sliceRows * sliceCols + 5 * sliceRows
  return bytes(elementBytes(slice.dtype) * elements * (isDoubleBuffered(dataflow) ? 2 : 1))
}

/** How a tile's share of a kernel is cut, as far as its buffers depend on it. */
export interface SliceCut {
  readonly groupX: number
  readonly sliceRows: number
  readonly sliceCols: number
}

/** Whether a row block has several column blocks, between which the running maximum changes. */
export const keepsMaximum = (cut: SliceCut, workload: AttentionWorkload): boolean =>
  workload.kvLength > cut.groupX * cut.sliceCols

/** Bytes of L1 that one tile of a kernel needs, whatever its variant. */
export function kernelOccupancy(
  cut: SliceCut,
  workload: AttentionWorkload,
  dataflow: Dataflow,
): Bytes {
  const { sliceRows, sliceCols } = cut
  if (!isAbsorbed(workload)) {
    const dimensions = headDimensions(workload)
    return l1Occupancy({ sliceRows, sliceCols, dimensions, dtype: workload.dtype }, dataflow)
  }
  return latentOccupancy(cut, workload, { dataflow, keepsMaximum: keepsMaximum(cut, workload) })
}
