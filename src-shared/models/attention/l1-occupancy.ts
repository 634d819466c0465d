import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { TileSlice } from '#shared/models/attention/tile-costs.ts'
import { bytes, type Bytes } from '#shared/units/quantity.ts'
import { elementBytes } from '#shared/workload/attention.ts'

/** Whether a dataflow keeps two sets of buffers in L1. */
export const isDoubleBuffered = (dataflow: Dataflow): boolean =>
  dataflow === 'flat-async' || dataflow === 'fa3'

/**
 * Bytes of L1 that one tile needs.
 *
 *   single set   e · (2·Br·d + 2·Bc·d + Br·Bc + 5·Br)
 *   two sets     twice that
 *
 * for Q, O, K, V, the scores and five state vectors (m, l, e and the m and l before).
 *
 * Source: buffers of the public FlatAttention kernels; equal to resources/published/fig11-l1-occupancy.json.
 */
export function l1Occupancy(slice: TileSlice, dataflow: Dataflow): Bytes {
  const { sliceRows, sliceCols, headDim } = slice
  const elements =
    2 * sliceRows * headDim + 2 * sliceCols * headDim + sliceRows * sliceCols + 5 * sliceRows
  return bytes(elementBytes(slice.dtype) * elements * (isDoubleBuffered(dataflow) ? 2 : 1))
}
