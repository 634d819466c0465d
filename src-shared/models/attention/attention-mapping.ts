import { tileCount, type Chip } from '#shared/hardware/chip.ts'
import { isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { MappingOverrides } from '#shared/mapping/mapping-overrides.ts'
import {
  cutKernel,
  type Cut,
  type MappingOutcome,
  type MappingProblem,
} from '#shared/models/attention/cut-kernel.ts'
import { fastestFairCut } from '#shared/models/attention/fair-flash-mla.ts'
import { kernelOccupancy } from '#shared/models/attention/l1-occupancy.ts'
import { preferredSlice } from '#shared/models/attention/preferred-slice.ts'
import { formatBytes } from '#shared/units/format.ts'
import {
  headDimensions,
  headJobs,
  queryRows,
  type AttentionWorkload,
} from '#shared/workload/attention.ts'

const problem = (message: string): MappingProblem => ({ kind: 'problem', message })

/**
 * Chooses who computes what: the overrides where there are any, else the tiling rule of
 * arXiv 2604.02110, Section V-B.
 *
 * The rule: take the slice that keeps the matrix engine 95 % busy and fits in L1, then enlarge the
 * group as far as the scores and the mesh allow. A length that is no multiple of the slice is cut
 * into a power of two of equal slices; on a mesh that is too small for them and no power of two, into
 * equal blocks. FlashAttention has groups of one tile; where there are more tiles than head jobs, the
 * rows of a job are shared out in prefill, and its row blocks in decode. FlashMLA on all tiles may
 * also split KV over a row of tiles: the fastest of the splits is taken.
 *
 * @returns a problem with the numbers where an override is impossible or L1 too small
 */
export function mapAttention(
  dataflow: Dataflow,
  workload: AttentionWorkload,
  overrides: MappingOverrides,
  chip: Chip,
): MappingOutcome {
  const preferred = preferredSlice(
    workload,
    dataflow,
    chip,
    isFlash(dataflow) ? 1 : (overrides.groupX ?? chip.tiles.x),
  )
  const tooLarge = groupProblem(ownGroup(dataflow, overrides), chip)
  if (tooLarge !== undefined) return problem(tooLarge)
  const cut = ruleCut(dataflow, workload, overrides, Math.max(1, preferred), chip)
  if (typeof cut === 'string') return problem(cut)

  const needed = kernelOccupancy(cut, workload, dataflow)
  if (needed > chip.l1.capacity) {
    const message =
      `a slice of ${String(cut.sliceRows)} × ${String(cut.sliceCols)} scores with ${dimensionText(workload)} ` +
      `needs ${formatBytes(needed)} of L1 per tile for ${dataflow}, ` +
      `but chip.l1.capacityKiB gives ${formatBytes(chip.l1.capacity)}; ` +
      (preferred > 0
        ? `slices of ${String(preferred)} × ${String(preferred)} fit`
        : 'not even one row of this head dimension fits')
    return { ...problem(message), l1Bytes: needed }
  }
  return { kind: 'shape', shape: cutKernel(dataflow, workload, cut, chip) }
}

/** The sides of a group that a dataflow has: none where tiles work alone, one where they split KV. */
export function ownGroup(
  dataflow: Dataflow,
  { groupX, groupY }: MappingOverrides,
): Pick<MappingOverrides, 'groupX' | 'groupY'> {
  if (dataflow === 'flash-mla-fair') return { groupX, groupY: 1 }
  return isFlash(dataflow) ? { groupX: 1, groupY: 1 } : { groupX, groupY }
}

function dimensionText(workload: AttentionWorkload): string {
  const { score, value } = headDimensions(workload)
  return score === value
    ? `head dimension ${String(score)}`
    : `head dimensions ${String(score)} and ${String(value)}`
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
    ? flashCut(dataflow, workload, overrides, preferred, chip)
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
  dataflow: Dataflow,
  workload: AttentionWorkload,
  overrides: MappingOverrides,
  preferred: number,
  chip: Chip,
): Cut | string {
  const rows = overriddenSlice('Rows', overrides, 1)
  const columns = overriddenSlice('Cols', overrides, 1)
  if (typeof rows === 'string') return rows
  if (typeof columns === 'string') return columns
  if (dataflow === 'flash-mla-fair') {
    const given = { groupX: overrides.groupX, sliceRows: rows, sliceCols: columns }
    return fastestFairCut(workload, given, preferred, chip)
  }
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
