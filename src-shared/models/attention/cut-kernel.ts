import type { Chip } from '#shared/hardware/chip.ts'
import { isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { maskedBlocks } from '#shared/models/attention/masked-blocks.ts'
import type { Bytes } from '#shared/units/quantity.ts'
import { headJobs, queryRows, type AttentionWorkload } from '#shared/workload/attention.ts'

/** A group and the slice of each of its tiles. */
export interface Cut {
  readonly groupX: number
  readonly groupY: number
  readonly sliceRows: number
  readonly sliceCols: number
}

/** Why a kernel cannot be run. */
export interface MappingProblem {
  readonly kind: 'problem'
  readonly message: string
  /** What one tile would need, where that is more L1 than it has. */
  readonly l1Bytes?: Bytes
}

/** A kernel that can be run, or why there is none. */
export type MappingOutcome =
  { readonly kind: 'shape'; readonly shape: KernelShape } | MappingProblem

/** What each group computes where the scores are cut like this. */
export function cutKernel(
  dataflow: Dataflow,
  workload: AttentionWorkload,
  cut: Cut,
  chip: Chip,
): KernelShape {
  const jobs = headJobs(workload)
  const groups = Math.floor(chip.tiles.x / cut.groupX) * Math.floor(chip.tiles.y / cut.groupY)
  const isMasked = workload.causal && !chip.artefacts.causalMaskIgnored
  const blockRows = cut.groupY * cut.sliceRows
  const blockCols = cut.groupX * cut.sliceCols
  const blocks = maskedBlocks(workload, blockRows, blockCols, isMasked)
  const innerIterations = Math.ceil(workload.kvLength / blockCols)
  // FlashAttention shares the row blocks of a job out over the tiles that are left; the public
  // FlashMLA gives each sequence a single tile.
  const shares =
    isFlash(dataflow) && dataflow !== 'flash-mla'
      ? Math.min(blocks.rowBlocks, Math.max(1, Math.floor(groups / jobs)))
      : 1
  const outerIterations = Math.ceil(blocks.rowBlocks / shares)
  const parts = Math.ceil(blocks.rowBlocks / outerIterations)
  const jobsPerGroup = parts > 1 ? 1 : Math.ceil(jobs / groups)
  // Row blocks are dealt out in turns. The further down one is, the more columns a mask leaves it, so
  // that the busiest group is the one that gets the last.
  const last = { first: Math.max(0, blocks.rowBlocks - 1) % parts, step: parts }
  const busiest = parts > 1 ? maskedBlocks(workload, blockRows, blockCols, isMasked, last) : blocks
  const emptyRows = (blocks.rowBlocks - blocks.busyRowBlocks) * blockRows
  return {
    workload,
    ...cut,
    groups,
    activeGroups: Math.min(groups, jobs * parts),
    jobsPerGroup,
    rowBlocksPerGroup: jobsPerGroup * outerIterations,
    // Jobs are dealt out in runs, so that the last groups may get none.
    busyGroups:
      parts > 1
        ? jobs * Math.min(parts, blocks.busyRowBlocks)
        : blocks.busyRowBlocks > 0
          ? Math.ceil(jobs / jobsPerGroup)
          : 0,
    busyRowBlocksPerGroup: jobsPerGroup * busiest.busyRowBlocks,
    columnBlocksPerGroup: jobsPerGroup * busiest.columnBlocks,
    rowBlocks: jobs * blocks.rowBlocks,
    columnBlocks: jobs * blocks.columnBlocks,
    busyRows: jobs * Math.max(0, queryRows(workload) - emptyRows),
    keyColumns: jobs * blocks.columns,
    outerIterations,
    innerIterations,
  }
}
