import type { Chip } from '#shared/hardware/chip.ts'
import { isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import { kernelOccupancy } from '#shared/models/attention/l1-occupancy.ts'
import { sliceOperations } from '#shared/models/attention/slice-operations.ts'
import { matrixContext } from '#shared/models/attention/tile-costs.ts'
import {
  idealMatrixOperation,
  matrixOperation,
  type MatrixShape,
} from '#shared/models/engines/matrix-engine.ts'
import type { AttentionWorkload } from '#shared/workload/attention.ts'

/** The matrix utilisation that the tiling rule asks for. */
const WANTED_UTILIZATION = 0.95

/**
 * Side of the square slice of scores that a tile should take: the smallest multiple (by doubling)
 * of the matrix engine's height at which the operations use 95 % of the engine and whose buffers
 * fit in L1; where none does, the best that fits.
 *
 * Source: arXiv 2604.02110, Section V-B: 128 for the chips of the paper.
 *
 * @param groupX columns of the group where they are given, else as many as the mesh has
 * @returns 0 where not even one row fits
 */
export function preferredSlice(
  workload: AttentionWorkload,
  dataflow: Dataflow,
  chip: Chip,
  groupX: number = isFlash(dataflow) ? 1 : chip.tiles.x,
): number {
  const context = matrixContext(chip, workload.dtype)
  const fits = (side: number) =>
    kernelOccupancy({ groupX, sliceRows: side, sliceCols: side }, workload, dataflow) <=
    chip.l1.capacity
  const utilization = (side: number): number => {
    const { scores, output } = sliceOperations({ sliceRows: side, sliceCols: side }, workload)
    const operations = [...scores, ...output]
    const sum = (cycles: (operation: MatrixShape) => number) =>
      operations.reduce((total, operation) => total + cycles(operation), 0)
    return (
      sum(operation => idealMatrixOperation(operation, chip.matrixEngine)) /
      sum(operation => matrixOperation(operation, context))
    )
  }

  let best = 0
  for (let side = chip.matrixEngine.height; fits(side); side *= 2) {
    if (best === 0 || utilization(side) > utilization(best)) best = side
    if (utilization(side) >= WANTED_UTILIZATION) return side
  }
  if (best > 0) return best
  let small = chip.matrixEngine.height
  while (small > 0 && !fits(small)) small = Math.floor(small / 2)
  return small
}
