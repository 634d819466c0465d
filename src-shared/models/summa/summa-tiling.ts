import type { Chip } from '#shared/hardware/chip.ts'
import type { SummaGrid, SummaOverrides } from '#shared/mapping/summa-grid.ts'
import { SUMMA_TILE } from '#shared/models/constants.ts'
import { summaL1Bytes, summaShape, type SummaShape } from '#shared/models/summa/summa-shape.ts'
import { formatBytes } from '#shared/units/format.ts'
import type { DataType } from '#shared/workload/attention.ts'
import type { GemmWorkload } from '#shared/workload/gemm.ts'

export type SummaCandidates =
  | { readonly kind: 'candidates'; readonly shapes: readonly [SummaShape, ...SummaShape[]] }
  | { readonly kind: 'problem'; readonly message: string }

type TilingChip = Pick<Chip, 'tiles' | 'l1'>

const problem = (message: string): SummaCandidates => ({ kind: 'problem', message })

/**
 * The grids among which the fastest is to be chosen: the overrides where there are any, else the
 * rule of the public SUMMA kernel.
 *
 * The rule: blocks of up to 128 × 128; along each side as many tiles as the next power of two, if the
 * mesh has them. Groups that are left either split the contraction (the most, in powers of two, that
 * divide k), or the columns of Z, or take a product of a batch each, or idle.
 *
 * Source: public SUMMA kernel of arXiv 2604.02110; it tries the two splits and keeps the faster.
 * Checked by: test/src-shared/models/summa/summa-tiling.test.ts
 *
 * @returns a problem with the numbers where an override is impossible or L1 too small
 */
export function summaCandidates(
  workload: GemmWorkload,
  overrides: SummaOverrides,
  chip: TilingChip,
): SummaCandidates {
  const largest = largestTile(workload.dtype, chip)
  const { x, y } = chip.tiles
  const columns = cutSide(workload.n, overrides.tileN, overrides.groupX, x, largest)
  const rows = cutSide(workload.m, overrides.tileM, overrides.groupY, y, largest)
  const limits: readonly (readonly [string, number, number, string])[] = [
    ['groupX', columns.group, x, '(chip.tiles.x)'],
    ['groupY', rows.group, y, '(chip.tiles.y)'],
  ]
  for (const [field, group, side, where] of limits) {
    if (group > side) {
      return problem(
        `mapping.${field}: must be at most ${String(side)} ${where}, got ${String(group)}`,
      )
    }
  }
  const available = Math.floor(x / columns.group) * Math.floor(y / rows.group)
  const { groups = 1, split } = overrides
  if (groups > available) {
    return problem(
      `mapping.groups: must be at most ${String(available)} for groups of ` +
        `${String(columns.group)} × ${String(rows.group)} on ${String(x)} × ${String(y)} tiles, got ${String(groups)}`,
    )
  }
  if (split === 'none' && groups > 1) {
    return problem(`mapping.groups: must be 1 for mapping.split none, got ${String(groups)}`)
  }
  const panel = {
    tileM: rows.tile,
    tileN: columns.tile,
    groupX: columns.group,
    groupY: rows.group,
  }
  const grids = splits(workload, panel, overrides, available).map(({ split, groups }) => {
    const contraction = split === 'k' ? Math.ceil(workload.k / groups) : workload.k
    const tileK = overrides.tileK ?? stepLength(contraction, split, largest)
    return { ...panel, tileK, groups, split: groups === 1 ? ('none' as const) : split }
  })
  const shapes = grids.map(grid => summaShape(workload, grid, chip))
  const [first, ...others] = shapes.filter(
    shape => summaL1Bytes(shape, shape.outputBlocks, workload.dtype) <= chip.l1.capacity,
  )
  if (first !== undefined) return { kind: 'candidates', shapes: [first, ...others] }
  return problem(tooLarge(shapes, workload.dtype, largest, chip))
}

/** Says what the smallest of some shapes needs of L1, and what would fit. */
function tooLarge(
  shapes: readonly SummaShape[],
  dtype: DataType,
  largest: number,
  chip: TilingChip,
): string {
  const needed = shapes.map(shape => summaL1Bytes(shape, shape.outputBlocks, dtype))
  const least = Math.min(...needed)
  const shape = shapes[needed.findIndex(size => size === least)]
  const by = (...sides: readonly (number | undefined)[]) => sides.map(String).join(' × ')
  return (
    `mapping: a tile of ${by(shape?.tileM, shape?.tileN, shape?.tileK)} (tileM × tileN × tileK) needs ` +
    `${formatBytes(least)} of L1 in ${dtype}, but chip.l1.capacityKiB gives ` +
    `${formatBytes(chip.l1.capacity)}; tiles of ${by(largest, largest, largest)} fit`
  )
}

/** The largest power of two, up to that of the kernel, of which a cube fits in L1. */
function largestTile(dtype: DataType, chip: TilingChip): number {
  let side = SUMMA_TILE
  const needed = (tile: number) => summaL1Bytes({ tileM: tile, tileN: tile, tileK: tile }, 2, dtype)
  while (side > 1 && needed(side) > chip.l1.capacity) side /= 2
  return side
}

/** Tiles along one side of the group, and the block of each. */
function cutSide(
  length: number,
  tile: number | undefined,
  group: number | undefined,
  side: number,
  largest: number,
): { readonly tile: number; readonly group: number } {
  if (group !== undefined) {
    return { group, tile: tile ?? Math.min(largest, Math.ceil(length / group)) }
  }
  const wanted = tile ?? Math.min(length, largest)
  const parts = 2 ** Math.ceil(Math.log2(Math.ceil(length / wanted)))
  const count = Math.min(parts, side)
  if (tile !== undefined) return { tile, group: count }
  // Where the mesh does not divide the parts, one panel after the other in equal blocks.
  const blocks = parts % count === 0 ? parts : Math.ceil(length / (count * wanted)) * count
  return { tile: Math.ceil(length / blocks), group: count }
}

type Split = Pick<SummaGrid, 'split' | 'groups'>

/** What the groups may share out, each with the number of groups that take part. */
function splits(
  workload: GemmWorkload,
  panel: Pick<SummaGrid, 'groupX' | 'tileN'>,
  { groups, split }: SummaOverrides,
  available: number,
): Split[] {
  const panels = Math.ceil(workload.n / (panel.groupX * panel.tileN))
  const all: readonly Split[] = [
    { split: 'k', groups: groups ?? largestDivisor(workload.k, available) },
    { split: 'n', groups: groups ?? Math.min(available, panels) },
    { split: 'batch', groups: groups ?? Math.min(available, workload.batch) },
  ]
  if (split === 'none' || available === 1) return [{ split: 'none', groups: 1 }]
  if (split !== undefined) return all.filter(one => one.split === split)
  const useful = all.filter(
    one =>
      one.split === 'k' ||
      (one.split === 'n' && panels > 1) ||
      (one.split === 'batch' && workload.batch > 1),
  )
  // Where there is little to do, starting and summing over many groups costs more than it saves.
  return groups === undefined ? [...useful, { split: 'none', groups: 1 }] : useful
}

/** The largest power of two, up to `limit`, that divides `value`. */
function largestDivisor(value: number, limit: number): number {
  let divisor = 1
  while (divisor * 2 <= limit && value % (divisor * 2) === 0) divisor *= 2
  return divisor
}

/**
 * Contraction of one step: all of it where it is short; where it is long, the largest tile; between,
 * a divisor, so that few steps waste little on the last one.
 */
function stepLength(contraction: number, split: SummaGrid['split'], largest: number): number {
  if (contraction <= largest) return contraction
  const isShort = Math.floor(contraction / largest) < 4
  if (split !== 'k' || !isShort) return largest
  let divisor = largest
  while (contraction % divisor !== 0) divisor--
  return Math.max(divisor, Math.ceil((largest * 3) / 4))
}
