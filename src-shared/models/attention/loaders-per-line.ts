import type { Chip } from '#shared/hardware/chip.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import type { OperandHome } from '#shared/models/memory/hbm.ts'

/**
 * Loaders of one group whose flits share a line of links to the edge.
 *
 * They stand on the diagonals of the group: of those of its rows, ⌈Gy / Gx⌉ are in one column; of those
 * of its columns, ⌈Gx / Gy⌉ in one row.
 *
 * Source: counting, with the loaders of the public kernels.
 */
export function loadersPerLine(
  operand: 'row' | 'column',
  { groupX, groupY }: Pick<KernelShape, 'groupX' | 'groupY'>,
  home: Pick<OperandHome, 'axis'>,
): number {
  const loaders = operand === 'row' ? groupY : groupX
  return Math.ceil(loaders / (home.axis === 'row' ? groupY : groupX))
}

/**
 * Groups whose loads share a line of links to the edge. Groups fill the mesh row by row, so a few of
 * them lie side by side.
 *
 * Source: counting, with the order of groups of the public kernels.
 */
export function groupsPerLine(
  { groupX }: Pick<KernelShape, 'groupX'>,
  groups: number,
  home: Pick<OperandHome, 'axis'>,
  chip: Pick<Chip, 'tiles'>,
): number {
  const perRow = Math.max(1, Math.floor(chip.tiles.x / groupX))
  return home.axis === 'row' ? Math.min(groups, perRow) : Math.ceil(groups / perRow)
}
