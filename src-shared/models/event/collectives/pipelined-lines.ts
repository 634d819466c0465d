import { PIPELINED_ADD_CYCLES, pieceOf } from '#shared/models/collectives/pipelined-collectives.ts'
import { vectorAdd } from '#shared/models/collectives/software-collectives.ts'
import { SOFTWARE_COLLECTIVE_CYCLES } from '#shared/models/constants.ts'
import {
  tilesOf,
  type LineCollectives,
  type LineTask,
} from '#shared/models/event/line-collectives.ts'
import type { TileMachine } from '#shared/models/event/tile-machine.ts'
import { bytes, type Bytes } from '#shared/units/quantity.ts'

/**
 * Collectives from neighbour to neighbour, in `stages` pieces; all tiles meet after each step.
 *
 * The root is the first tile of the line. In step t of a multicast tile i hands piece t − i to its
 * neighbour; in step t of a reduction tile i fetches piece t − (n − 2 − i) from it and adds it.
 *
 * Source: the loop of the public kernel; it makes a step (a reduction: two) in which nothing moves.
 * Checked by: the validation set collectives-event-2026.
 */
export function pipelinedLines(machine: TileMachine, stages: number): LineCollectives {
  return {
    *multicast(task) {
      const { group, tile, name } = task
      const { tiles, own, count } = positionOf(task, machine)
      const next = tiles[own + 1]
      for (let step = 0; step < stages + count - 1; step++) {
        yield machine.now + SOFTWARE_COLLECTIVE_CYCLES.pipelinedStep
        const size = sizeOfPiece(task, stages, step - own)
        if (next !== undefined && size > 0) {
          yield machine.unicast(tile, next, size, 0, name, 'multicast')
        }
        yield group.quietBarrier.arrive()
      }
    },
    *reduce(task, component) {
      const { group, tile, name, elementBytes } = task
      const { tiles, own, count } = positionOf(task, machine)
      const next = tiles[own + 1]
      for (let step = 0; step < stages + count; step++) {
        yield machine.now + SOFTWARE_COLLECTIVE_CYCLES.pipelinedStep
        const size = sizeOfPiece(task, stages, step - (count - 2 - own))
        if (next !== undefined && size > 0) {
          yield machine.unicast(tile, next, size, PIPELINED_ADD_CYCLES, name, component)
          const add = vectorAdd(size, bytes(elementBytes), machine.chip)
          yield machine.compute(tile, 'vector', component, name, add)
        }
        yield group.quietBarrier.arrive()
      }
    },
  }
}

function positionOf({ line, tile }: LineTask, machine: TileMachine) {
  const tiles = tilesOf(line, machine)
  return { tiles, own: tiles.indexOf(tile), count: tiles.length }
}

/** Bytes of a piece; 0 where there is none of that number. */
function sizeOfPiece(task: LineTask, stages: number, index: number): Bytes {
  if (index < 0 || index >= stages) return bytes(0)
  const size = bytes(task.size)
  const piece = pieceOf({ size, elementBytes: bytes(task.elementBytes), stages })
  return bytes(Math.max(0, Math.min(piece, size - index * piece)))
}
