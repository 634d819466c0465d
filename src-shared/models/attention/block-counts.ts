/** Column blocks by their place in a row block, which decides what happens to O. */
export interface BlockCounts {
  readonly first: number
  readonly middle: number
  readonly last: number
  /** First and last at once. */
  readonly only: number
}

/** Places of `blocks` column blocks in `rows` row blocks that share them as evenly as they can. */
export function blockCounts(blocks: number, rows: number): BlockCounts {
  const only = Math.max(0, 2 * rows - blocks)
  return { first: rows - only, middle: blocks - 2 * rows + only, last: rows - only, only }
}
