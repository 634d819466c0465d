import type { Chip } from '#shared/hardware/chip.ts'
import { backToBackBarrier } from '#shared/models/collectives/barrier.ts'
import { flitsOf } from '#shared/models/collectives/hardware-collectives.ts'
import { vectorAdd, type LineCollective } from '#shared/models/collectives/software-collectives.ts'
import { SOFTWARE_COLLECTIVE_CYCLES } from '#shared/models/constants.ts'
import { bytes, cycles, type Bytes, type Cycles } from '#shared/units/quantity.ts'

type SoftwareChip = Pick<Chip, 'control' | 'noc' | 'vectorEngine'>

/** A collective that travels from neighbour to neighbour in `stages` pieces. */
export interface PipelinedCollective extends LineCollective {
  readonly stages: number
}

/** What a step fetches and adds takes longer than what it sends, besides the addition itself. */
export const PIPELINED_ADD_CYCLES =
  SOFTWARE_COLLECTIVE_CYCLES.treeFetch - SOFTWARE_COLLECTIVE_CYCLES.treeSend

/** Bytes of the largest piece: whole elements. */
export const pieceOf = ({
  size,
  elementBytes,
  stages,
}: Pick<PipelinedCollective, 'size' | 'elementBytes' | 'stages'>): Bytes =>
  bytes(Math.min(size, Math.ceil(size / elementBytes / stages) * elementBytes))

/**
 * Pipelined multicast: in each step every tile hands the piece that it has to its neighbour, then
 * all meet.
 *
 *   T = (σ + n − 1) · (45 + B₀) + (σ + n − 2) · flits(s/σ)
 *
 * σ      stages, the pieces
 * n      participants
 * s      size, bytes
 * B₀     barrier without transfers in flight, cycles
 * flits  of a piece, one per cycle
 *
 * The last piece reaches the last tile after σ + n − 2 steps; the loop makes one step more, in which
 * nothing moves.
 *
 * Source: the loop of the public kernel; its step measured on the reference simulator for 4 tiles,
 *   1 and 8 stages (resources/published/collectives-2026.json).
 * Holds when: nothing else uses the links of the line.
 * Leaves out: pieces of one burst that are sent line by line (8 pieces of 4 KiB: 6 % slower).
 * Checked by: the validation set collectives-2026.
 */
export function pipelinedMulticast(line: PipelinedCollective, chip: SoftwareChip): Cycles {
  if (line.participants <= 1) return cycles(0)
  const filled = line.stages + line.participants
  return cycles((filled - 1) * step(line, chip) + (filled - 2) * flitsOf(pieceOf(line), chip))
}

/**
 * Pipelined reduction: in each step every tile fetches the piece of its neighbour and adds it.
 *
 *   T = (σ + n) · (45 + B₀) + (σ + n − 2) · (flits(s/σ) + A(s/σ) + 24)
 *
 * A      addition by one vector engine, cycles
 * 24     what fetching and adding add to a step, measured in the tree
 *
 * The other symbols are those of the multicast; the loop makes two steps in which nothing moves.
 *
 * Source: the loop of the public kernel; step times measured in multicast and tree.
 * Holds when: as above.
 * Leaves out: as above.
 * Checked by: the validation set flat-hc-collectives-2026, as part of a kernel.
 */
export function pipelinedReduction(line: PipelinedCollective, chip: SoftwareChip): Cycles {
  if (line.participants <= 1) return cycles(0)
  const filled = line.stages + line.participants
  const piece = pieceOf(line)
  const work =
    flitsOf(piece, chip) + vectorAdd(piece, line.elementBytes, chip) + PIPELINED_ADD_CYCLES
  return cycles(filled * step(line, chip) + (filled - 2) * work)
}

const step = (line: LineCollective, chip: SoftwareChip): number =>
  SOFTWARE_COLLECTIVE_CYCLES.pipelinedStep + backToBackBarrier(line.groupX, line.groupY, chip)
