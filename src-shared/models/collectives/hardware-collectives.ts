import { DMA_BURST_BYTES } from '#shared/models/constants.ts'
import type { Chip } from '#shared/hardware/chip.ts'
import { bytes, cycles, type Bytes, type Cycles } from '#shared/units/quantity.ts'

type CollectiveChip = Pick<Chip, 'control' | 'noc'>

/** Flits that a transfer of `size` bytes takes. */
export const flitsOf = (size: Bytes, chip: Pick<Chip, 'noc'>): number =>
  Math.ceil(size / chip.noc.flit)

/**
 * Cycles until `participants` tiles in a line hold the `size` bytes of one of them.
 *
 *   T = multicastBase + perTile·(n − 4) + max(flits, 2 · min(flits, flits of 4 KiB))
 *
 * Flits are copied in the routers, so the time grows with the distance, not with the number of
 * copies. The DMA stores a burst of up to 4 KiB before it forwards it; longer transfers pipeline,
 * which from 8 KiB on hides the first burst.
 *
 * Source: measured on the reference simulator for 4, 8 and 32 tiles
 *   (resources/published/collectives-2026.json).
 *
 * @returns 0 for a single participant: there is nobody to send to
 */
export function hardwareMulticast(size: Bytes, participants: number, chip: CollectiveChip): Cycles {
  if (participants <= 1 || size <= 0) return cycles(0)
  const { multicastBase, collectivePerTile } = chip.control
  const firstBurst = flitsOf(bytes(Math.min(size, DMA_BURST_BYTES)), chip)
  return cycles(
    Math.max(1, multicastBase + collectivePerTile * (participants - 4)) +
      Math.max(flitsOf(size, chip), 2 * firstBurst),
  )
}

/**
 * Cycles until one tile holds the sum or the maximum of the `size` bytes of each of
 * `participants` tiles in a line.
 *
 *   T = reductionBase + perTile·(n − 4) + 1.02 · flits, and never less than the multicast
 *
 * A masked read fans out, every member answers with its line, the routers combine: one flit per
 * cycle whatever the number of members. The 2 % are the gaps between the reads of 4 KiB pages.
 *
 * Source: measured on the reference simulator for 4, 8 and 32 tiles
 *   (resources/published/collectives-2026.json).
 */
export function hardwareReduction(size: Bytes, participants: number, chip: CollectiveChip): Cycles {
  if (participants <= 1 || size <= 0) return cycles(0)
  const { reductionBase, collectivePerTile } = chip.control
  const reduction =
    Math.max(1, reductionBase + collectivePerTile * (participants - 4)) + 1.02 * flitsOf(size, chip)
  return cycles(Math.max(reduction, hardwareMulticast(size, participants, chip)))
}
