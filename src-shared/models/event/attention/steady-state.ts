/** When the column blocks of one group were done, one after the other. */
export interface BlockTimes {
  readonly times: readonly number[]
  /** Whether each was the first of its row block. */
  readonly opensRowBlock: readonly boolean[]
}

/** What a kernel costs beyond the part that was simulated. */
export interface SteadyState {
  /** Cycles of a column block in the steady state. */
  readonly perColumnBlock: number
  /** Cycles that a row block adds. */
  readonly perRowBlock: number
}

/**
 * Cycles of a column block and of a row block, from the times at which the simulated ones were done.
 *
 * The first third is left out: there the pipeline fills and the groups still run in step; so are the
 * last blocks, where it drains. Where the rest holds the start of a row block, what it adds is the
 * mean of those intervals less the mean of the others; else it is taken as nothing, since it is then
 * rare.
 */
export function steadyState(groups: readonly BlockTimes[]): SteadyState {
  let inside = { sum: 0, count: 0 }
  let opening = { sum: 0, count: 0 }
  for (const { times, opensRowBlock } of groups) {
    const end = times.length - (times.length >= 12 ? DRAIN : 0)
    for (let index = Math.max(1, Math.floor(times.length / 3)); index < end; index++) {
      const interval = (times[index] ?? 0) - (times[index - 1] ?? 0)
      const { sum, count } = opensRowBlock[index] === true ? opening : inside
      const next = { sum: sum + interval, count: count + 1 }
      if (opensRowBlock[index] === true) opening = next
      else inside = next
    }
  }
  const mean = ({ sum, count }: typeof inside) => (count > 0 ? sum / count : undefined)
  const perColumnBlock = mean(inside) ?? mean(opening) ?? 0
  const perRowBlock = Math.max(0, (mean(opening) ?? perColumnBlock) - perColumnBlock)
  return { perColumnBlock, perRowBlock }
}

/** Blocks at the end beside which there is less to do: those of the last pair of heads. */
const DRAIN = 2

/**
 * The steady state of each row block that was simulated: the first two of long ones, where what
 * stands between them takes the groups out of step.
 */
export function steadyRowBlocks(groups: readonly BlockTimes[]): SteadyState[] {
  const rows = groups.map(rowBlocksOf)
  const count = Math.max(0, ...rows.map(row => row.length))
  return Array.from({ length: count }, (_, index) =>
    steadyState(rows.flatMap(row => row[index] ?? [])),
  )
}

/** The times of a group, row block by row block. */
export function rowBlocksOf({ times, opensRowBlock }: BlockTimes): BlockTimes[] {
  const starts = opensRowBlock.flatMap((opens, index) => (opens ? [index] : []))
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? times.length
    return { times: times.slice(start, end), opensRowBlock: opensRowBlock.slice(start, end) }
  })
}
