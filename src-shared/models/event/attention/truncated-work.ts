import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'

/** Column blocks of some row blocks. */
export const columnBlocksOf = (work: readonly RowBlock[]): number =>
  work.reduce((sum, rowBlock) => sum + rowBlock.columnBlocks, 0)

/** The first `limit` column blocks of some row blocks; the last row block may be cut short. */
export function truncateWork(work: readonly RowBlock[], limit: number): RowBlock[] {
  const kept: RowBlock[] = []
  let left = limit
  for (const rowBlock of work) {
    if (left <= 0) break
    if (rowBlock.columnBlocks <= left) {
      kept.push(rowBlock)
    } else {
      const columns = (rowBlock.columns / rowBlock.columnBlocks) * left
      kept.push({ ...rowBlock, columnBlocks: left, columns: Math.ceil(columns) })
    }
    left -= rowBlock.columnBlocks
  }
  return kept
}

/**
 * Row blocks of which at most `limit` column blocks are kept: of long ones the first two, half of the
 * limit each, since what happens between row blocks may take the groups out of step.
 */
export function sampleWork(work: readonly RowBlock[], limit: number): RowBlock[] {
  const [first, second] = work.filter(({ columnBlocks }) => columnBlocks > 0)
  const half = Math.floor(limit / 2)
  if (columnBlocksOf(work) <= limit || first === undefined || second === undefined) {
    return truncateWork(work, limit)
  }
  if (Math.min(first.columnBlocks, second.columnBlocks) <= half) return truncateWork(work, limit)
  return [...truncateWork([first], half), ...truncateWork([second], half)]
}
