import type { Chip } from '#shared/hardware/chip.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { barrier } from '#shared/models/collectives/barrier.ts'
import {
  hardwareMulticast,
  hardwareReduction,
} from '#shared/models/collectives/hardware-collectives.ts'
import {
  sequentialMulticast,
  sequentialReduction,
  treeMulticast,
  treeReduction,
  type LineCollective,
} from '#shared/models/collectives/software-collectives.ts'
import { cycles, type Bytes, type Cycles } from '#shared/units/quantity.ts'

/** The collectives of one group, each without the barriers that the kernel puts around it. */
export interface GroupCollectives {
  readonly barrier: Cycles
  readonly rowMulticast: (size: Bytes) => Cycles
  readonly columnMulticast: (size: Bytes) => Cycles
  readonly rowReduction: (size: Bytes) => Cycles
}

/** The collectives of a dataflow: hardware for FlatHC and FlatAsync, software for the other two. */
export function groupCollectives(
  dataflow: Dataflow,
  group: { readonly groupX: number; readonly groupY: number },
  elementBytes: Bytes,
  chip: Chip,
): GroupCollectives {
  const { groupX, groupY } = group
  const line = (size: Bytes, participants: number): LineCollective => ({
    size,
    elementBytes,
    participants,
    groupX,
    groupY,
  })
  const groupBarrier = groupX * groupY > 1 ? barrier(groupX, groupY, chip) : cycles(0)
  if (dataflow === 'flat-sc') {
    return {
      barrier: groupBarrier,
      rowMulticast: size => sequentialMulticast(line(size, groupX), chip),
      columnMulticast: size => sequentialMulticast(line(size, groupY), chip),
      rowReduction: size => sequentialReduction(line(size, groupX), chip),
    }
  }
  if (dataflow === 'flat-tc') {
    return {
      barrier: groupBarrier,
      rowMulticast: size => treeMulticast(line(size, groupX), chip),
      columnMulticast: size => treeMulticast(line(size, groupY), chip),
      rowReduction: size => treeReduction(line(size, groupX), chip),
    }
  }
  return {
    barrier: groupBarrier,
    rowMulticast: size => hardwareMulticast(size, groupX, chip),
    columnMulticast: size => hardwareMulticast(size, groupY, chip),
    rowReduction: size => hardwareReduction(size, groupX, chip),
  }
}
