import { cycles, type Bytes, type BytesPerCycle, type Cycles } from '#shared/units/quantity.ts'
import { DMA_POLL_CYCLES } from '#shared/models/constants.ts'

/**
 * Cycles to transpose a rows × columns tile in L1, issue and wait included.
 *
 *   T = Σ (m + n + 10) + poll, over sub-tiles of at most one L1 line on a side
 *
 * Source: measured on the reference simulator for 12 shapes up to 256 × 256 elements
 *   (resources/published/dma-2026.json), exact; larger matrices go tile by tile.
 */
export function transpose(
  rows: number,
  columns: number,
  l1Bandwidth: BytesPerCycle,
  elementBytes: Bytes,
): Cycles {
  if (rows <= 0 || columns <= 0) return cycles(0)
  const side = Math.max(1, Math.floor(l1Bandwidth / elementBytes))
  const rowTiles = Math.ceil(rows / side)
  const columnTiles = Math.ceil(columns / side)
  return cycles(
    rows * columnTiles + columns * rowTiles + 10 * rowTiles * columnTiles + DMA_POLL_CYCLES,
  )
}
