import type { Chip } from '#shared/hardware/chip.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { visibleColumns } from '#shared/models/attention/masked-blocks.ts'
import { headJobs, queryRows } from '#shared/workload/attention.ts'

/** A block of query rows of one head job, and what of KV it sees. */
export interface RowBlock {
  readonly job: number
  readonly firstRow: number
  readonly rows: number
  readonly columns: number
  readonly columnBlocks: number
}

/**
 * The row blocks that each group computes, one after the other. Jobs are dealt out in runs of
 * `jobsPerGroup`; where there are more groups than jobs, the row blocks of a job are shared out.
 */
export function groupWork(shape: KernelShape, chip: Pick<Chip, 'artefacts'>): RowBlock[][] {
  const { workload, outerIterations } = shape
  const jobs = headJobs(workload)
  const rows = queryRows(workload)
  const blockRows = shape.groupY * shape.sliceRows
  const blockColumns = shape.groupX * shape.sliceCols
  const isMasked = workload.causal && !chip.artefacts.causalMaskIgnored
  const blocksOfJob = Math.ceil(rows / blockRows)
  const block = (job: number, index: number): RowBlock => {
    const columns = visibleColumns(workload, blockRows, index, isMasked)
    return {
      job,
      firstRow: index * blockRows,
      rows: Math.min(blockRows, rows - index * blockRows),
      columns,
      columnBlocks: Math.ceil(columns / blockColumns),
    }
  }
  const parts = Math.ceil(blocksOfJob / outerIterations)
  return Array.from({ length: shape.activeGroups }, (_, group) => {
    const work: RowBlock[] = []
    if (parts > 1) {
      const job = Math.floor(group / parts)
      // Every parts-th block, so that a mask leaves each part about the same.
      for (let index = group % parts; index < blocksOfJob; index += parts) {
        work.push(block(job, index))
      }
      return work
    }
    const first = group * shape.jobsPerGroup
    for (let job = first; job < Math.min(jobs, first + shape.jobsPerGroup); job++) {
      for (let index = 0; index < blocksOfJob; index++) work.push(block(job, index))
    }
    return work
  })
}
