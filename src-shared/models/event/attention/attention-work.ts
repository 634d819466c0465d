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

/** Row blocks of a kernel, found one by one: those that a group computes, in their order. */
export interface WorkOfGroups {
  /** Row blocks of a group. */
  count(group: number): number
  /** The row block that comes at a place of the order. */
  at(group: number, place: number): RowBlock
  /** The first place from one on whose row block has keys, as far as its job goes. */
  busyFrom(group: number, place: number): number
}

/**
 * Which row blocks each group computes, one after the other. Jobs are dealt out in runs of
 * `jobsPerGroup`; where there are more groups than jobs, the row blocks of a job are shared out.
 */
export function workOfGroups(shape: KernelShape, chip: Pick<Chip, 'artefacts'>): WorkOfGroups {
  const { workload, outerIterations, jobsPerGroup } = shape
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
  const firstBusy = firstBusyRowBlock(blocksOfJob, index =>
    visibleColumns(workload, blockRows, index, isMasked),
  )
  if (parts > 1) {
    // Every parts-th block, so that a mask leaves each part about the same.
    return {
      count: group => Math.ceil((blocksOfJob - (group % parts)) / parts),
      at: (group, place) => block(Math.floor(group / parts), (group % parts) + place * parts),
      busyFrom: (group, place) => Math.max(place, Math.ceil((firstBusy - (group % parts)) / parts)),
    }
  }
  return {
    count: group => blocksOfJob * Math.max(0, Math.min(jobs - group * jobsPerGroup, jobsPerGroup)),
    at: (group, place) =>
      block(group * jobsPerGroup + Math.floor(place / blocksOfJob), place % blocksOfJob),
    busyFrom: (_, place) => place + Math.max(0, firstBusy - (place % blocksOfJob)),
  }
}

/** A mask leaves the first row blocks of a job without keys: their number, by bisection. */
function firstBusyRowBlock(rowBlocks: number, columnsOf: (index: number) => number): number {
  let low = 0
  let high = rowBlocks
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (columnsOf(middle) > 0) high = middle
    else low = middle + 1
  }
  return low
}

/** The row blocks that each group computes, one after the other. */
export function groupWork(shape: KernelShape, chip: Pick<Chip, 'artefacts'>): RowBlock[][] {
  const work = workOfGroups(shape, chip)
  return Array.from({ length: shape.activeGroups }, (_, group) =>
    Array.from({ length: work.count(group) }, (_, place) => work.at(group, place)),
  )
}
