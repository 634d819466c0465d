import type { Chip } from '#shared/hardware/chip.ts'
import { headDimensions, type AttentionWorkload } from '#shared/workload/attention.ts'

/** How one attention kernel is cut: all that the timing of a dataflow needs besides the chip. */
export interface KernelShape {
  readonly workload: AttentionWorkload
  /** Tiles of a group, which shares a block of scores; 1 × 1 for FlashAttention. */
  readonly groupX: number
  readonly groupY: number
  /** Groups on the chip; on an odd mesh some tiles belong to none. */
  readonly groups: number
  /** Groups that have work. */
  readonly activeGroups: number
  /** Of these, groups that have a column block: a mask may leave some with zeros to store only. */
  readonly busyGroups: number
  /** Query rows and KV columns of one tile. */
  readonly sliceRows: number
  readonly sliceCols: number
  /** Head jobs of the busiest group: (batch, KV head) pairs, or a share of one. */
  readonly jobsPerGroup: number
  /** Row blocks and column blocks that the busiest group computes, one after the other. */
  readonly rowBlocksPerGroup: number
  /** Of these row blocks, those with a column block; the others only store zeros. */
  readonly busyRowBlocksPerGroup: number
  readonly columnBlocksPerGroup: number
  /** Row blocks and column blocks on the whole chip; blocks that the mask empties are left out. */
  readonly rowBlocks: number
  readonly columnBlocks: number
  /** Query rows on the whole chip in row blocks that have a column block: others need no Q. */
  readonly busyRows: number
  /** KV columns read over all row blocks, without padding. */
  readonly keyColumns: number
  /** Row blocks of one job on one group, and column blocks of a row block without a mask. */
  readonly outerIterations: number
  readonly innerIterations: number
}

/**
 * Rows of memory in which the K slice of a tile lies: one where K is stored row by row, since a
 * slice takes whole rows; one for each element of the head dimension where K lies transposed.
 */
export const keyRows = (
  shape: Pick<KernelShape, 'workload'>,
  chip: Pick<Chip, 'kernels'>,
): number => (chip.kernels.keyTranspose === 'in-memory' ? headDimensions(shape.workload).score : 1)

/** Groups that share HBM: those with column blocks, or all where there are no keys. */
export const sharingGroups = ({
  activeGroups,
  busyGroups,
}: Pick<KernelShape, 'activeGroups' | 'busyGroups'>): number =>
  busyGroups > 0 ? busyGroups : activeGroups
