import type { Chip } from '#shared/hardware/chip.ts'
import { barrier } from '#shared/models/collectives/barrier.ts'
import {
  hardwareMulticast,
  hardwareReduction,
} from '#shared/models/collectives/hardware-collectives.ts'
import {
  pipelinedMulticast,
  pipelinedReduction,
  type PipelinedCollective,
} from '#shared/models/collectives/pipelined-collectives.ts'
import {
  sequentialMulticast,
  sequentialReduction,
  treeMulticast,
  treeReduction,
} from '#shared/models/collectives/software-collectives.ts'
import type { CollectivePart, CollectiveResult } from '#shared/results/collective-result.ts'
import { durationOf } from '#shared/units/convert.ts'
import { cycles, type Cycles } from '#shared/units/quantity.ts'
import type { Collective } from '#shared/workload/collective.ts'

/** The tiles that meet in the barriers of a collective. */
export const barrierExtent = (
  collective: Collective,
  chip: Pick<Chip, 'tiles'>,
): { readonly x: number; readonly y: number } =>
  collective.barriers === 'chip' ? chip.tiles : { x: collective.columns, y: collective.rows }

/** One line of a collective. */
export function lineOf(
  collective: Collective,
  participants: number,
  chip: Pick<Chip, 'tiles'>,
): PipelinedCollective {
  const { size, elementBytes, stages } = collective
  const { x: groupX, y: groupY } = barrierExtent(collective, chip)
  return { size, elementBytes, stages, participants, groupX, groupY }
}

/**
 * Time of a collective that runs alone on the chip.
 *
 *   T = T_row + T_column, with a barrier between the two in hardware
 *
 * T_row, T_column  cycles along a row of `columns` tiles and a column of `rows` tiles; 0 for one tile
 *
 * All rows work at once. A multicast starts in a corner: the row of the source, then all columns; a
 * reduction ends there. The software variants end in a barrier of their own, in hardware the group
 * meets between the two.
 *
 * Source: the models of the lines.
 * Holds when: nothing else uses the links.
 * Leaves out: the barriers before and after, which belong to the kernel around it.
 * Checked by: the validation sets collectives-2026 and collectives-fig7-2026, for lines.
 */
export function collectiveKernel(collective: Collective, chip: Chip): CollectiveResult {
  const { columns, rows } = collective
  const along = (part: 'row' | 'column', participants: number): CollectivePart[] =>
    participants > 1
      ? [
          {
            part,
            participants,
            cycles: lineCycles(lineOf(collective, participants, chip), collective, chip),
            steps: lineSteps(collective, participants),
          },
        ]
      : []
  const extent = barrierExtent(collective, chip)
  const between: CollectivePart[] =
    collective.implementation === 'hw' && columns > 1 && rows > 1
      ? [
          {
            part: 'barrier',
            participants: extent.x * extent.y,
            cycles: barrier(extent.x, extent.y, chip),
            steps: 0,
          },
        ]
      : []
  const parts = [...along('row', columns), ...between, ...along('column', rows)]
  return resultOfParts(parts, collective, chip)
}

/** What follows from the parts of a collective by definition, whichever engine they come from. */
export function resultOfParts(
  parts: readonly CollectivePart[],
  collective: Pick<Collective, 'size'>,
  chip: Pick<Chip, 'clock'>,
): CollectiveResult {
  const total = cycles(parts.reduce((sum, part) => sum + part.cycles, 0))
  const seconds = durationOf(total, chip.clock)
  return {
    cycles: total,
    seconds,
    bandwidthBytesPerSecond: seconds > 0 ? collective.size / seconds : 0,
    steps: parts.reduce((sum, part) => sum + part.steps, 0),
    parts,
  }
}

function lineCycles(line: PipelinedCollective, collective: Collective, chip: Chip): Cycles {
  const sends = collective.operation === 'multicast'
  switch (collective.implementation) {
    case 'hw':
      return (sends ? hardwareMulticast : hardwareReduction)(line.size, line.participants, chip)
    case 'sw-tree':
      return (sends ? treeMulticast : treeReduction)(line, chip)
    case 'sw-seq':
      return (sends ? sequentialMulticast : sequentialReduction)(line, chip)
    case 'sw-pipelined':
      return (sends ? pipelinedMulticast : pipelinedReduction)(line, chip)
  }
}

/** Steps that follow one another on a line of more than one tile. */
export function lineSteps(
  { implementation, operation, stages }: Collective,
  participants: number,
): number {
  switch (implementation) {
    case 'hw':
      return 1
    case 'sw-tree':
      return Math.ceil(Math.log2(participants))
    case 'sw-seq':
      return participants - 1
    case 'sw-pipelined':
      return stages + participants - (operation === 'multicast' ? 1 : 0)
  }
}
