import type { Chip } from '#shared/hardware/chip.ts'
import type { SummaGrid } from '#shared/mapping/summa-grid.ts'
import { bytes, type Bytes } from '#shared/units/quantity.ts'
import { elementBytes } from '#shared/workload/attention.ts'
import type { GemmWorkload } from '#shared/workload/gemm.ts'

/** A GEMM as a grid cuts it. */
export interface SummaShape extends SummaGrid {
  readonly workload: GemmWorkload
  /** Groups that have work; the others idle. */
  readonly activeGroups: number
  /** Groups beside and above each other that have work. */
  readonly groupColumns: number
  readonly groupRows: number
  readonly rowBlocks: number
  readonly columnBlocks: number
  /** Products that a group computes one after the other. */
  readonly productsPerGroup: number
  readonly outputBlocks: number
  readonly steps: number
}

/**
 * Counts the panels and steps of a grid.
 *
 *   rowBlocks = ⌈m / (groupY · tileM)⌉   columnBlocks = ⌈n' / (groupX · tileN)⌉   steps = ⌈k' / tileK⌉
 *
 * n' and k' are the share of a group where n or k is split. Groups stand row by row on the mesh.
 *
 * Source: counting.
 */
export function summaShape(
  workload: GemmWorkload,
  grid: SummaGrid,
  chip: Pick<Chip, 'tiles'>,
): SummaShape {
  const { groups, split } = grid
  const share = (length: number, kind: SummaGrid['split']) =>
    split === kind ? Math.ceil(length / groups) : length
  const columns = share(workload.n, 'n')
  const contraction = share(workload.k, 'k')
  const productsPerGroup = share(workload.batch, 'batch')
  const activeGroups = Math.max(
    Math.ceil(workload.n / columns),
    Math.ceil(workload.k / contraction),
    Math.ceil(workload.batch / productsPerGroup),
  )
  const perRow = Math.max(1, Math.floor(chip.tiles.x / grid.groupX))
  const rowBlocks = Math.ceil(workload.m / (grid.groupY * grid.tileM))
  const columnBlocks = Math.ceil(columns / (grid.groupX * grid.tileN))
  return {
    ...grid,
    workload,
    activeGroups,
    groupColumns: Math.min(activeGroups, perRow),
    groupRows: Math.ceil(activeGroups / perRow),
    rowBlocks,
    columnBlocks,
    productsPerGroup,
    outputBlocks: rowBlocks * columnBlocks * productsPerGroup,
    steps: Math.ceil(contraction / grid.tileK),
  }
}

/**
 * Bytes of L1 that one tile needs.
 *
 *   e · (2 · (m·k + k·n) + z · m·n)
 *
 * m, n, k  tileM, tileN, tileK      e  bytes of an element
 * z        2 where a panel is stored while the next is computed, else 1
 * X and W have two buffers each: one is loaded while the other is used.
 *
 * Source: buffers of the public SUMMA kernel.
 */
export function summaL1Bytes(
  tile: Pick<SummaGrid, 'tileM' | 'tileN' | 'tileK'>,
  outputBlocks: number,
  dtype: GemmWorkload['dtype'],
): Bytes {
  const { tileM, tileN, tileK } = tile
  const outputBuffers = outputBlocks > 1 ? 2 : 1
  const elements = 2 * (tileM * tileK + tileK * tileN) + outputBuffers * tileM * tileN
  return bytes(elementBytes(dtype) * elements)
}
