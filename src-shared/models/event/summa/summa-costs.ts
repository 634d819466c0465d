import type { Chip } from '#shared/hardware/chip.ts'
import { matrixContext } from '#shared/models/attention/tile-costs.ts'
import { SUMMA_SYNCS_PER_STEP } from '#shared/models/constants.ts'
import { matrixOperation } from '#shared/models/engines/matrix-engine.ts'
import type { SummaShape } from '#shared/models/summa/summa-shape.ts'
import { elementBytes } from '#shared/workload/attention.ts'

/** What a tile does alone in SUMMA, in cycles, and the bytes of its blocks. */
export interface SummaTileCosts {
  readonly matrix: number
  /** Launch of the matrix engine and synchronisation of the cores, in each step. */
  readonly stepOverhead: number
  readonly clear: number
  readonly xBytes: number
  readonly wBytes: number
  readonly zBytes: number
}

/** Whole tiles, as the kernel computes them: a ragged block is padded. */
export function summaTileCosts(shape: SummaShape, chip: Chip): SummaTileCosts {
  const { tileM, tileN, tileK, workload } = shape
  const element = elementBytes(workload.dtype)
  const zBytes = tileM * tileN * element
  return {
    matrix: matrixOperation(
      { rows: tileM, contraction: tileK, columns: tileN },
      matrixContext(chip, workload.dtype),
    ),
    stepOverhead: chip.matrixEngine.launch + SUMMA_SYNCS_PER_STEP * chip.control.tileSync,
    clear: zBytes / chip.l1.bandwidth + chip.control.dmaLocal,
    xBytes: tileM * tileK * element,
    wBytes: tileK * tileN * element,
    zBytes,
  }
}
