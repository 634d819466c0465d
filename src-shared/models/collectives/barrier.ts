import type { Chip } from '#shared/hardware/chip.ts'
import { BARRIER_AMONG_TRANSFERS_CYCLES } from '#shared/models/constants.ts'
import { cycles, type Cycles } from '#shared/units/quantity.ts'

/**
 * Cycles of a barrier over a group of columns × rows tiles.
 *
 *   B = barrierBase + barrierPerTile · (columns + rows)
 *
 * Every tile reports to the middle of its row, the last of a row to the middle of that column, the
 * last there wakes the group by a hardware multicast: latency only, along both sides of the group.
 *
 * Source: measured on the reference simulator between DMA transfers, as kernels use it, for square
 *   meshes of 4 to 32 tiles on a side (resources/published/barriers-2026.json); a group is taken as
 *   a mesh of its size.
 */
export function barrier(columns: number, rows: number, chip: Pick<Chip, 'control'>): Cycles {
  const { barrierBase, barrierPerTile } = chip.control
  return cycles(barrierBase + barrierPerTile * (columns + rows))
}

/**
 * Cycles of a barrier with no transfer in flight around it: every tile has waited for its own.
 *
 *   B₀ = max(0, B − 10 − 0.6 · (columns + rows))
 *
 * B  cycles of the same barrier among transfers
 *
 * Source: measured on the reference simulator, 20 barriers in a row on square meshes of 4 to 32
 *   tiles on a side (resources/published/barriers-2026.json).
 * Holds when: the tiles arrive together, as after a step of a software collective.
 * Leaves out: tiles that arrive late.
 * Checked by: the validation set barriers-back-to-back-2026.
 */
export function backToBackBarrier(
  columns: number,
  rows: number,
  chip: Pick<Chip, 'control'>,
): Cycles {
  const { base, perTile } = BARRIER_AMONG_TRANSFERS_CYCLES
  return cycles(Math.max(0, barrier(columns, rows, chip) - base - perTile * (columns + rows)))
}

/** Cycles of the barrier over all tiles that opens and closes a kernel. */
export const chipBarrier = (chip: Pick<Chip, 'control' | 'tiles'>): Cycles =>
  chip.tiles.x * chip.tiles.y > 1 ? barrier(chip.tiles.x, chip.tiles.y, chip) : cycles(0)
