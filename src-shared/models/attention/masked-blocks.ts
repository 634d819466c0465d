import type { AttentionWorkload } from '#shared/workload/attention.ts'
import { queryPositions, queryRows } from '#shared/workload/attention.ts'

/** Blocks of one head job that are computed. */
export interface MaskedBlocks {
  readonly rowBlocks: number
  /** Row blocks with at least one column block: more queries than keys leave some without. */
  readonly busyRowBlocks: number
  /** Column blocks of all row blocks. */
  readonly columnBlocks: number
  /** KV columns that are read, over all row blocks: the last block of a row may be ragged. */
  readonly columns: number
}

/**
 * Counts the blocks of a job's score matrix that hold at least one unmasked pair.
 *
 * Without a mask, all. With a causal mask aligned at the bottom right, the row block that ends with
 * row r sees the columns up to position(r) + (kv − q), so it needs ⌈that / Bc⌉ blocks. Rows of query
 * heads that share a KV head are stacked position by position.
 *
 * @param share counts the row blocks first, first + step, first + 2 · step, … only
 */
export function maskedBlocks(
  workload: AttentionWorkload,
  blockRows: number,
  blockCols: number,
  isMasked: boolean,
  share: { readonly first: number; readonly step: number } = { first: 0, step: 1 },
): MaskedBlocks {
  const { first, step } = share
  const rows = queryRows(workload)
  const { kvLength } = workload
  const rowBlocks = Math.max(0, Math.ceil((Math.ceil(rows / blockRows) - first) / step))
  const fullRow = Math.ceil(kvLength / blockCols)
  if (!isMasked || kvLength === 0) {
    return {
      rowBlocks,
      busyRowBlocks: kvLength === 0 ? 0 : rowBlocks,
      columnBlocks: rowBlocks * fullRow,
      columns: rowBlocks * kvLength,
    }
  }
  const rowsPerPosition = rows / queryPositions(workload)
  const shift = kvLength - queryPositions(workload)
  const sees = (place: number) => visibleColumns(workload, blockRows, first + place * step, true)
  const firstFull = firstIndex(rowBlocks, place => Math.ceil(sees(place) / blockCols) === fullRow)
  const start = firstIndex(rowBlocks, place => sees(place) > 0)
  // Between the two the number of blocks grows linearly with the place, rounded up.
  const partial = sumOfCeilings(
    Math.max(0, firstFull - start),
    blockRows * step,
    (first + start * step + 1) * blockRows + shift * rowsPerPosition,
    rowsPerPosition * blockCols,
  )
  const fullRows = rowBlocks - firstFull
  return {
    rowBlocks,
    busyRowBlocks: rowBlocks - start,
    columnBlocks: partial + fullRows * fullRow,
    columns: partial * blockCols + fullRows * kvLength,
  }
}

/**
 * KV columns that a row block of a job sees: all without a mask, else those up to the position of its
 * last row, aligned at the bottom right.
 */
export function visibleColumns(
  workload: AttentionWorkload,
  blockRows: number,
  rowBlock: number,
  isMasked: boolean,
): number {
  const { kvLength } = workload
  if (!isMasked) return kvLength
  const rows = queryRows(workload)
  const positions = queryPositions(workload)
  const lastRow = Math.min(rows, (rowBlock + 1) * blockRows)
  const seen = Math.ceil(lastRow / (rows / positions)) + kvLength - positions
  return Math.min(kvLength, Math.max(0, seen))
}

/** First index below `count` at which a monotone condition holds, or `count`. */
function firstIndex(count: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Σ ⌈(a·i + b) / m⌉ for i = 0 … n−1, with positive arguments, in O(log m) steps. */
function sumOfCeilings(n: number, a: number, b: number, m: number): number {
  return sumOfFloors(n, a, b + m - 1, m)
}

/** Σ ⌊(a·i + b) / m⌋ for i = 0 … n−1: the Euclidean algorithm on lattice points under a line. */
function sumOfFloors(n: number, a: number, b: number, m: number): number {
  if (n <= 0) return 0
  const whole = (Math.floor(a / m) * n * (n - 1)) / 2 + Math.floor(b / m) * n
  const slope = a % m
  const offset = b % m
  const last = slope * n + offset
  if (last < m) return whole
  return whole + sumOfFloors(Math.floor(last / m), m, last % m, slope)
}
