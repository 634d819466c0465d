import type { Chip } from '#shared/hardware/chip.ts'
import { backToBackBarrier, barrier } from '#shared/models/collectives/barrier.ts'
import { flitsOf } from '#shared/models/collectives/hardware-collectives.ts'
import { SOFTWARE_COLLECTIVE_CYCLES, VECTOR_L1_CONTENTION } from '#shared/models/constants.ts'
import { cycles, type Bytes, type Cycles } from '#shared/units/quantity.ts'

type SoftwareChip = Pick<Chip, 'control' | 'noc' | 'vectorEngine'>

/** A collective along one line of a group; the barriers cover the whole group. */
export interface LineCollective {
  readonly size: Bytes
  readonly elementBytes: Bytes
  readonly participants: number
  readonly groupX: number
  readonly groupY: number
}

/**
 * Cycles of one vector engine to add (or take the maximum of) two buffers in L1:
 * two loads and a store through its ports, and one arithmetic pass.
 *
 *   T = (3·size / loadStore + elements / lanes) · 1.03, the 3 % being L1 bank conflicts
 *
 * Source: instruction counts of the reduction kernel; measured on the reference simulator.
 */
export function vectorAdd(
  size: Bytes,
  elementBytes: Bytes,
  chip: Pick<Chip, 'vectorEngine'>,
): Cycles {
  const lanes = Math.max(1, Math.floor((chip.vectorEngine.fpus * 8) / elementBytes))
  const memory = (3 * size) / chip.vectorEngine.loadStore
  return cycles((memory + size / elementBytes / lanes) * VECTOR_L1_CONTENTION)
}

/**
 * Sequential multicast: the source sends to one tile after the other, then all meet.
 *
 *   T = (n − 1) · (18 + flits) + B
 *
 * Source: measured on the reference simulator for 4 and 8 tiles
 *   (resources/published/collectives-2026.json).
 */
export function sequentialMulticast(line: LineCollective, chip: SoftwareChip): Cycles {
  if (line.participants <= 1) return cycles(0)
  const send = SOFTWARE_COLLECTIVE_CYCLES.send + flitsOf(line.size, chip)
  return cycles((line.participants - 1) * send + barrier(line.groupX, line.groupY, chip))
}

/**
 * Sequential reduction: one tile fetches from each other and adds.
 *
 *   T = (n − 1) · (40 + flits + T_add) + B
 */
export function sequentialReduction(line: LineCollective, chip: SoftwareChip): Cycles {
  if (line.participants <= 1) return cycles(0)
  const fetch = SOFTWARE_COLLECTIVE_CYCLES.fetch + flitsOf(line.size, chip)
  const add = vectorAdd(line.size, line.elementBytes, chip)
  return cycles((line.participants - 1) * (fetch + add) + barrier(line.groupX, line.groupY, chip))
}

/**
 * Tree multicast: in each of ⌈log2 n⌉ stages the tiles that have the data send it on.
 *
 *   T = ⌈log2 n⌉ · (75 + flits + B₀), B₀ the barrier without transfers in flight
 */
export function treeMulticast(line: LineCollective, chip: SoftwareChip): Cycles {
  if (line.participants <= 1) return cycles(0)
  const stage =
    SOFTWARE_COLLECTIVE_CYCLES.treeSend +
    flitsOf(line.size, chip) +
    backToBackBarrier(line.groupX, line.groupY, chip)
  return cycles(Math.ceil(Math.log2(line.participants)) * stage)
}

/**
 * Tree reduction: in each of ⌈log2 n⌉ stages half of the tiles fetch from the other half and add.
 *
 *   T = ⌈log2 n⌉ · (99 + flits + T_add + B₀), B₀ as in the multicast
 */
export function treeReduction(line: LineCollective, chip: SoftwareChip): Cycles {
  if (line.participants <= 1) return cycles(0)
  const stage =
    SOFTWARE_COLLECTIVE_CYCLES.treeFetch +
    flitsOf(line.size, chip) +
    vectorAdd(line.size, line.elementBytes, chip) +
    backToBackBarrier(line.groupX, line.groupY, chip)
  return cycles(Math.ceil(Math.log2(line.participants)) * stage)
}
