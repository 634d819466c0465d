import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { queryRows } from '#shared/workload/attention.ts'

/** Which part of a slice a loader moves in one block, from 0 to 1. */
export interface LoadedSlice {
  /** Over all loaders and blocks: the channels serve this. */
  readonly mean: number
  /** The loader that moves most: its links carry this. */
  readonly largest: number
}

/**
 * How much of a slice a tile loads of Q (and stores of O), and of K or V, in one block.
 *
 *   mean_Q  = q / (⌈q / Br⌉ · Br)            largest_Q  = min(1, q / (Br / Gy))
 *   mean_KV = (columns read) / (blocks · Bc)   largest_KV = min(1, kv / (Bc / Gx))
 *
 * q, kv   rows of a head job, KV length
 * Br, Bc  rows and columns of a block of a group of Gx × Gy tiles
 *
 * Ragged slices are padded in L1, not in HBM: where a length does not fill its blocks, some tiles
 * load less than a slice, or nothing. For lengths that do, both are 1.
 *
 * Source: counting.
 * Holds when: blocks at the end of Q and of KV are as frequent in all groups.
 * Checked by: test/src-shared/models/attention/loaded-slices.test.ts
 */
export function loadedSlices(shape: KernelShape): {
  readonly row: LoadedSlice
  readonly column: LoadedSlice
} {
  const { workload, groupX, groupY, sliceRows, sliceCols, columnBlocks, keyColumns } = shape
  const rows = queryRows(workload)
  const blockRows = groupY * sliceRows
  return {
    row: {
      mean: rows / (Math.ceil(rows / blockRows) * blockRows),
      largest: Math.min(1, rows / sliceRows),
    },
    column: {
      mean: columnBlocks > 0 ? keyColumns / (columnBlocks * groupX * sliceCols) : 0,
      largest: Math.min(1, workload.kvLength / sliceCols),
    },
  }
}
