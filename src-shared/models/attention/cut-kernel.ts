import type { Chip } from '#shared/hardware/chip.ts'
import { isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { maskedBlocks } from '#shared/models/attention/masked-blocks.ts'
import type { Bytes } from '#shared/units/quantity.ts'
import { headJobs, type AttentionWorkload } from '#shared/workload/attention.ts'

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
  const blocks = maskedBlocks(
    workload,
    cut.groupY * cut.sliceRows,
    cut.groupX * cut.sliceCols,
    isMasked,
  )
  const innerIterations = Math.ceil(workload.kvLength / (cut.groupX * cut.sliceCols))
  // FlashAttention shares the row blocks of a job out over the tiles that are left; the public
  // FlashMLA gives each sequence a single tile.
  const shares =
    isFlash(dataflow) && dataflow !== 'flash-mla'
      ? Math.min(blocks.rowBlocks, Math.max(1, Math.floor(groups / jobs)))
      : 1
  const outerIterations = Math.ceil(blocks.rowBlocks / shares)
  const parts = Math.ceil(blocks.rowBlocks / outerIterations)
  const jobsPerGroup = parts > 1 ? 1 : Math.ceil(jobs / groups)
  const columnBlocksOfJob =
    parts > 1
      ? // Shares are balanced, but a row block cannot be cut.
        Math.max(
          Math.min(innerIterations, blocks.columnBlocks),
          Math.ceil(blocks.columnBlocks / parts),
          isMasked ? 0 : outerIterations * innerIterations,
        )
      : blocks.columnBlocks
  return {
    workload,
    ...cut,
    groups,
    activeGroups: Math.min(groups, jobs * parts),
    jobsPerGroup,
    rowBlocksPerGroup: jobsPerGroup * outerIterations,
    busyRowBlocksPerGroup: jobsPerGroup * Math.ceil(blocks.busyRowBlocks / parts),
    columnBlocksPerGroup: jobsPerGroup * columnBlocksOfJob,
    rowBlocks: jobs * blocks.rowBlocks,
    columnBlocks: jobs * blocks.columnBlocks,
    keyColumns: jobs * blocks.columns,
    outerIterations,
    innerIterations,
  }
}
