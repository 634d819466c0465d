import type { Chip } from '#shared/hardware/chip.ts'
import { attentionTime } from '#shared/models/attention/attention-time.ts'
import { attentionTraffic, memoryDemand } from '#shared/models/attention/attention-traffic.ts'
import { cutKernel, type Cut } from '#shared/models/attention/cut-kernel.ts'
import { kernelOccupancy } from '#shared/models/attention/l1-occupancy.ts'
import { queryRows, type AttentionWorkload } from '#shared/workload/attention.ts'

/** What a person fixes of the split. */
export interface GivenSplit {
  readonly groupX: number | undefined
  readonly sliceRows: number | undefined
  readonly sliceCols: number | undefined
}

const DATAFLOW = 'flash-mla-fair'

/**
 * The fastest way to give all tiles a share of MLA decode without multicasts: rows (heads and
 * positions) in slices of the preferred size or a half, a quarter, … of it, down to the height of the
 * matrix engine, and KV over 1, 2, 4, … tiles of a row of the mesh, whose results are then merged.
 *
 * Smaller slices and a finer split keep more tiles busy, but the latent is read again for each row
 * block, Q for each tile that splits KV, and the merge takes time. The predicted runtime decides.
 */
export function fastestFairCut(
  workload: AttentionWorkload,
  given: GivenSplit,
  preferred: number,
  chip: Chip,
): Cut {
  const rows = Math.max(1, queryRows(workload))
  const columns = Math.max(1, workload.kvLength)
  const mostRows = Math.min(preferred, rows)
  const candidates = fairSplits(given.groupX, Math.min(chip.tiles.x, columns)).flatMap(groupX =>
    slices(given.sliceRows, mostRows, chip.matrixEngine.height).map(sliceRows => ({
      groupX,
      groupY: 1,
      sliceRows,
      sliceCols: given.sliceCols ?? Math.min(preferred, Math.ceil(columns / groupX)),
    })),
  )
  const timed = candidates
    .filter(cut => kernelOccupancy(cut, workload, DATAFLOW) <= chip.l1.capacity)
    .map(cut => ({ cut, cycles: predictedCycles(workload, cut, chip) }))
  const [first, ...others] = timed
  // Where none fits in L1, the caller refuses the first with its numbers.
  if (first === undefined) return smallest(candidates)
  return others.reduce((best, other) => (other.cycles < best.cycles ? other : best), first).cut
}

function predictedCycles(workload: AttentionWorkload, cut: Cut, chip: Chip): number {
  const shape = cutKernel(DATAFLOW, workload, cut, chip)
  const traffic = attentionTraffic(DATAFLOW, shape, chip)
  const demand = memoryDemand(DATAFLOW, traffic, shape, chip)
  return attentionTime(DATAFLOW, shape, demand, chip).time.total
}

/** 1, 2, 4, … tiles; as many as a row of the mesh has where that is no power of two, too. */
export function fairSplits(given: number | undefined, most: number): number[] {
  if (given !== undefined) return [given]
  const powers = Array.from({ length: Math.floor(Math.log2(most)) + 1 }, (_, power) => 2 ** power)
  return powers.includes(most) ? powers : [...powers, most]
}

function slices(given: number | undefined, most: number, least: number): number[] {
  if (given !== undefined) return [given]
  const sizes = [most]
  for (let size = most / 2; size >= least; size /= 2) sizes.push(Math.ceil(size))
  return sizes
}

const smallest = (cuts: readonly Cut[]): Cut =>
  cuts.reduce((least, cut) =>
    cut.sliceRows * cut.sliceCols < least.sliceRows * least.sliceCols ? cut : least,
  )
