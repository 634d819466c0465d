import { DMA_BURST_BYTES, DMA_LINE_BYTES } from '#shared/models/constants.ts'
import type { Chip } from '#shared/hardware/chip.ts'
import { bytes, cycles, type Bytes, type Cycles } from '#shared/units/quantity.ts'

type CollectiveChip = Pick<Chip, 'control' | 'noc'>

/** Flits that a transfer of `size` bytes takes. */
export const flitsOf = (size: Bytes, chip: Pick<Chip, 'noc'>): number =>
  Math.ceil(size / chip.noc.flit)

/** Flits and lines of the first burst of a transfer, of at most 4 KiB. */
export function firstBurst(size: Bytes, chip: Pick<Chip, 'noc'>) {
  const burst = bytes(Math.min(size, DMA_BURST_BYTES))
  return { flits: flitsOf(burst, chip), lines: Math.ceil(burst / DMA_LINE_BYTES) }
}

/**
 * Cycles until `participants` tiles in a line hold the `size` bytes of one of them.
 *
 *   T = T_burst                  up to 4 KiB
 *   T = max(T_burst, T_stream)   beyond
 *   T_burst  = multicastBase − 4·perTile + flits(s₁) + lines(s₁) · (n − 1) · hop
 *   T_stream = multicastBase + perTile·(n − 4) + flits(s)
 *
 * n       participants
 * s       size, bytes
 * s₁      the first burst, min(s, 4 KiB)
 * flits   of the link's width, one per cycle
 * lines   of 512 bytes
 * hop     cycles from router to router
 *
 * Routers copy flits, so the time grows with the distance, not with the number of copies. Within a
 * burst a line leaves when the one before it has reached the end of the row; bursts overlap, so
 * that long transfers move one flit per cycle.
 *
 * Source: measured on the reference simulator for 4, 8 and 32 tiles
 *   (resources/published/collectives-2026.json).
 * Holds when: nothing else uses the links of the line.
 * Leaves out: bursts that do not start at a page.
 * Checked by: the validation set collectives-2026.
 *
 * @returns 0 for a single participant: there is nobody to send to
 */
export function hardwareMulticast(size: Bytes, participants: number, chip: CollectiveChip): Cycles {
  if (participants <= 1 || size <= 0) return cycles(0)
  const { multicastBase, collectivePerTile } = chip.control
  const { flits, lines } = firstBurst(size, chip)
  const burst =
    Math.max(1, multicastBase - 4 * collectivePerTile) +
    flits +
    lines * (participants - 1) * chip.noc.hop
  if (size <= DMA_BURST_BYTES) return cycles(burst)
  const stream =
    Math.max(1, multicastBase + collectivePerTile * (participants - 4)) + flitsOf(size, chip)
  return cycles(Math.max(burst, stream))
}

/**
 * Cycles until one tile holds the sum or the maximum of the `size` bytes of each of
 * `participants` tiles in a line.
 *
 *   T = reductionBase + perTile·(n − 4) + 1.02 · flits
 *
 * A masked read fans out, every member answers with its line, the routers combine: one flit per
 * cycle whatever the number of members. The 2 % are the gaps between the reads of 4 KiB pages.
 * Reads are not sent line by line, so a reduction of a few KiB over a long row is faster than a
 * multicast of the same size, as was measured: 133 against 291 cycles for 8 KiB and 32 tiles.
 *
 * Source: measured on the reference simulator for 4, 8 and 32 tiles
 *   (resources/published/collectives-2026.json).
 * Holds when: nothing else uses the links of the line.
 * Checked by: the validation sets collectives-2026 and noc-row-reduction-*.
 */
export function hardwareReduction(size: Bytes, participants: number, chip: CollectiveChip): Cycles {
  if (participants <= 1 || size <= 0) return cycles(0)
  const { reductionBase, collectivePerTile } = chip.control
  return cycles(
    Math.max(1, reductionBase + collectivePerTile * (participants - 4)) +
      1.02 * flitsOf(size, chip),
  )
}
