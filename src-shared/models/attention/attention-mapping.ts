import { tileCount, type Chip } from '#shared/hardware/chip.ts'
import { isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { MappingOverrides } from '#shared/mapping/mapping-overrides.ts'
import { l1Occupancy } from '#shared/models/attention/l1-occupancy.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { maskedBlocks } from '#shared/models/attention/masked-blocks.ts'
import { preferredSlice } from '#shared/models/attention/preferred-slice.ts'
import { formatBytes } from '#shared/units/format.ts'
import type { Bytes } from '#shared/units/quantity.ts'
import { headJobs, queryRows, type AttentionWorkload } from '#shared/workload/attention.ts'

export interface MappingProblem {
  readonly kind: 'problem'
  readonly message: string
  /** What one tile would need, where that is more L1 than it has. */
  readonly l1Bytes?: Bytes
}

export type MappingOutcome =
  { readonly kind: 'shape'; readonly shape: KernelShape } | MappingProblem

/** How the scores of a head job are shared out: tiles of a group, and the slice of each. */
export interface Cut {
  readonly groupX: number
  readonly groupY: number
  readonly sliceRows: number
  readonly sliceCols: number
}

const problem = (message: string): MappingProblem => ({ kind: 'problem', message })

/**
 * Chooses who computes what: the overrides where there are any, else the tiling rule of
 * arXiv 2604.02110, Section V-B.
 *
 * The rule: take the slice that keeps the matrix engine 95 % busy and fits in L1, then enlarge the
 * group as far as the scores and the mesh allow. A length that is no multiple of the slice is cut
 * into a power of two of equal slices; on a mesh that is too small for them and no power of two, into
 * equal blocks. FlashAttention has groups of one tile; where there are more tiles than head jobs, the
 * rows of a job are shared out in prefill, and its row blocks in decode.
 *
 * @returns a problem with the numbers where an override is impossible or L1 too small
 */
export function mapAttention(
  dataflow: Dataflow,
  workload: AttentionWorkload,
  overrides: MappingOverrides,
  chip: Chip,
): MappingOutcome {
  const preferred = preferredSlice(workload, dataflow, chip)
  const tooLarge = isFlash(dataflow) ? undefined : groupProblem(overrides, chip)
  if (tooLarge !== undefined) return problem(tooLarge)
  const cut = ruleCut(dataflow, workload, overrides, Math.max(1, preferred), chip)
  if (typeof cut === 'string') return problem(cut)

  const needed = l1Occupancy({ ...cut, headDim: workload.headDim, dtype: workload.dtype }, dataflow)
  if (needed > chip.l1.capacity) {
    const message =
      `a slice of ${String(cut.sliceRows)} × ${String(cut.sliceCols)} scores with head dimension ` +
      `${String(workload.headDim)} needs ${formatBytes(needed)} of L1 per tile for ${dataflow}, ` +
      `but chip.l1.capacityKiB gives ${formatBytes(chip.l1.capacity)}; ` +
      (preferred > 0
        ? `slices of ${String(preferred)} × ${String(preferred)} fit`
        : 'not even one row of this head dimension fits')
    return { ...problem(message), l1Bytes: needed }
  }
  return { kind: 'shape', shape: kernelShape(dataflow, workload, cut, chip) }
}

/** The cut that the rule makes with a given side of the preferred slice, or why it cannot. */
export const ruleCut = (
  dataflow: Dataflow,
  workload: AttentionWorkload,
  overrides: MappingOverrides,
  preferred: number,
  chip: Chip,
): Cut | string =>
  isFlash(dataflow)
    ? flashCut(workload, overrides, preferred, chip)
    : flatCut(workload, overrides, preferred, chip)

/** What is wrong with a group that was asked for, whatever the kernel. */
export function groupProblem(overrides: MappingOverrides, chip: Chip): string | undefined {
  const { groupX = 1, groupY = 1 } = overrides
  if (groupX > chip.tiles.x) {
    return `mapping.groupX: must be at most ${String(chip.tiles.x)} (chip.tiles.x), got ${String(groupX)}`
  }
  if (groupY > chip.tiles.y) {
    return `mapping.groupY: must be at most ${String(chip.tiles.y)} (chip.tiles.y), got ${String(groupY)}`
  }
  return undefined
}

/** Slice rows and columns that the overrides ask for; a block is a slice times the group. */
function overriddenSlice(
  axis: 'Rows' | 'Cols',
  overrides: MappingOverrides,
  group: number,
): number | undefined | string {
  const slice = axis === 'Rows' ? overrides.sliceRows : overrides.sliceCols
  const block = axis === 'Rows' ? overrides.blockRows : overrides.blockCols
  if (block === undefined) return slice
  const sliceOfBlock = Math.ceil(block / group)
  if (slice !== undefined && slice !== sliceOfBlock) {
    return (
      `mapping.block${axis}: must be ${String(slice * group)} for ${String(group)} tiles with ` +
      `mapping.slice${axis} ${String(slice)}, got ${String(block)}`
    )
  }
  return sliceOfBlock
}

function flashCut(
  workload: AttentionWorkload,
  overrides: MappingOverrides,
  preferred: number,
  chip: Chip,
): Cut | string {
  const rows = overriddenSlice('Rows', overrides, 1)
  const columns = overriddenSlice('Cols', overrides, 1)
  if (typeof rows === 'string') return rows
  if (typeof columns === 'string') return columns
  return {
    groupX: 1,
    groupY: 1,
    sliceRows: rows ?? Math.min(preferred, flashRows(workload, chip)),
    sliceCols: columns ?? Math.min(preferred, Math.max(1, workload.kvLength)),
  }
}

/**
 * Query rows that one tile should take at a time. In decode all rows of a job, so that its keys and
 * values are read once and not again for each query head that shares them.
 */
function flashRows(workload: AttentionWorkload, chip: Chip): number {
  const rows = queryRows(workload)
  if (workload.phase === 'decode') return rows
  const tilesPerJob = Math.max(1, Math.floor(tileCount(chip) / headJobs(workload)))
  const rowsOfTile = Math.ceil(rows / tilesPerJob)
  return Math.ceil(rowsOfTile / Math.min(rowsOfTile, chip.kernels.flashRowBlocksPerTile))
}

function flatCut(
  workload: AttentionWorkload,
  overrides: MappingOverrides,
  preferred: number,
  chip: Chip,
): Cut | string {
  const rows = cutLength(queryRows(workload), preferred, chip.tiles.y, 'Rows', overrides)
  const columns = cutLength(
    Math.max(1, workload.kvLength),
    preferred,
    chip.tiles.x,
    'Cols',
    overrides,
  )
  if (typeof rows === 'string') return rows
  if (typeof columns === 'string') return columns
  return {
    groupX: columns.group,
    groupY: rows.group,
    sliceRows: rows.slice,
    sliceCols: columns.slice,
  }
}

/** Tiles along one side of the group, and the slice of each. */
function cutLength(
  length: number,
  preferred: number,
  meshSide: number,
  axis: 'Rows' | 'Cols',
  overrides: MappingOverrides,
): { readonly group: number; readonly slice: number } | string {
  const fixedGroup = axis === 'Rows' ? overrides.groupY : overrides.groupX
  if (fixedGroup !== undefined) {
    const slice = overriddenSlice(axis, overrides, fixedGroup)
    if (typeof slice === 'string') return slice
    return {
      group: fixedGroup,
      slice: slice ?? Math.min(preferred, Math.ceil(length / fixedGroup)),
    }
  }
  const fixedSlice = axis === 'Rows' ? overrides.sliceRows : overrides.sliceCols
  const fixedBlock = axis === 'Rows' ? overrides.blockRows : overrides.blockCols
  const covered = Math.min(length, fixedBlock ?? length)
  const wanted = fixedSlice ?? Math.min(preferred, covered)
  const parts = nextPowerOfTwo(Math.ceil(covered / wanted))
  const group = Math.min(parts, meshSide)
  if (fixedBlock !== undefined) {
    const slice = overriddenSlice(axis, overrides, group)
    return typeof slice === 'string' ? slice : { group, slice: slice ?? wanted }
  }
  if (fixedSlice !== undefined) return { group, slice: fixedSlice }
  // Where the mesh is too small for the parts and does not divide them, one block after the other.
  const slices = parts % group === 0 ? parts : Math.ceil(covered / (group * wanted)) * group
  return { group, slice: Math.ceil(covered / slices) }
}

const nextPowerOfTwo = (value: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, value)))

function kernelShape(
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
  // FlashAttention shares the row blocks of a job out over the tiles that are left.
  const shares = isFlash(dataflow)
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
