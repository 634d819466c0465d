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
