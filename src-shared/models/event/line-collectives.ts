import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { vectorAdd } from '#shared/models/collectives/software-collectives.ts'
import { SOFTWARE_COLLECTIVE_CYCLES } from '#shared/models/constants.ts'
import type { TileArea } from '#shared/models/event/tile-area.ts'
import type { Program } from '#shared/models/event/simulator.ts'
import type { TileGroup } from '#shared/models/event/tile-group.ts'
import type { TileMachine } from '#shared/models/event/tile-machine.ts'
import { bytes } from '#shared/units/quantity.ts'

/** A collective along one row or column of a group, as one of its tiles takes part in it. */
export interface LineTask {
  /** The barriers of the tiles around: all of them take part, in one place or another. */
  readonly group: Pick<TileGroup, 'barrier' | 'quietBarrier'>
  readonly tile: number
  /** The tile that has the data, or is to have the result. */
  readonly root: number
  readonly line: TileArea
  readonly size: number
  readonly elementBytes: number
  readonly name: string
}

/**
 * What a collective does to the data; told to whoever executes the kernel on real numbers when a
 * transfer begins. What is returned is called when it ends.
 */
export interface LineEffects {
  /** `to` gets what `from` has. */
  copy(from: number, to: number): () => void
  /** `into` gets its own data combined with those of the others. */
  combine(into: number, from: readonly number[]): () => void
}

/** The collectives of a dataflow, as programs that every tile of the group runs at the same time. */
export interface LineCollectives {
  multicast(task: LineTask, effects?: LineEffects): Program
  reduce(
    task: LineTask,
    component: 'max-reduction' | 'sum-reduction',
    effects?: LineEffects,
  ): Program
}

/** By the routers for FlatHC and FlatAsync; by unicasts, in a tree or one by one, for the others. */
export function lineCollectives(dataflow: Dataflow, machine: TileMachine): LineCollectives {
  if (dataflow === 'flat-tc') return treeCollectives(machine)
  if (dataflow === 'flat-sc') return sequentialCollectives(machine)
  return hardwareCollectives(machine)
}

/** Row by row, from the south-west corner. */
export function tilesOf(line: TileArea, machine: TileMachine): number[] {
  const tiles: number[] = []
  for (let y = line.y; y < line.y + line.rows; y++) {
    for (let x = line.x; x < line.x + line.columns; x++) tiles.push(machine.tileAt(x, y))
  }
  return tiles
}

function othersThan(root: number, line: TileArea, machine: TileMachine): number[] {
  return tilesOf(line, machine).filter(tile => tile !== root)
}

/** The root alone works; the others meet it at the barrier that the kernel puts behind. */
export function hardwareCollectives(machine: TileMachine): LineCollectives {
  return {
    *multicast({ tile, root, line, size, name }, effects) {
      if (tile !== root) return
      const copies =
        effects && othersThan(root, line, machine).map(other => effects.copy(root, other))
      yield machine.multicast(root, line, size, name)
      for (const done of copies ?? []) done()
    },
    *reduce({ tile, root, line, size, name }, component, effects) {
      if (tile !== root) return
      const done = effects?.combine(root, othersThan(root, line, machine))
      yield machine.reduce(root, line, size, name, component)
      done?.()
    },
  }
}

/** The root sends to, or fetches from, one tile after the other; then the group meets. */
export function sequentialCollectives(machine: TileMachine): LineCollectives {
  const { send, fetch } = SOFTWARE_COLLECTIVE_CYCLES
  return {
    *multicast({ group, tile, root, line, size, name }, effects) {
      if (tile === root) {
        for (const other of othersThan(root, line, machine)) {
          const done = effects?.copy(root, other)
          yield machine.unicast(root, other, size, send, name, 'multicast')
          done?.()
        }
      }
      yield group.barrier.arrive()
    },
    *reduce({ group, tile, root, line, size, elementBytes, name }, component, effects) {
      if (tile === root) {
        const add = vectorAdd(bytes(size), bytes(elementBytes), machine.chip)
        for (const other of othersThan(root, line, machine)) {
          const done = effects?.combine(root, [other])
          yield machine.unicast(root, other, size, fetch, name, component)
          yield machine.compute(root, 'vector', component, name, add)
          done?.()
        }
      }
      yield group.barrier.arrive()
    },
  }
}

/**
 * Binary trees over the tiles of the line, counted from the root: in each stage of a multicast the
 * tiles that have the data send them half as far as in the stage before; a reduction runs backwards.
 */
export function treeCollectives(machine: TileMachine): LineCollectives {
  const { treeSend, treeFetch } = SOFTWARE_COLLECTIVE_CYCLES
  const position = ({ root, line, tile }: LineTask) => {
    const tiles = tilesOf(line, machine)
    const count = tiles.length
    const first = tiles.indexOf(root)
    const at = (index: number) => tiles[(first + index) % count] ?? root
    return {
      count,
      stages: Math.ceil(Math.log2(count)),
      own: (tiles.indexOf(tile) - first + count) % count,
      at,
    }
  }
  return {
    *multicast(task, effects) {
      const { group, tile, size, name } = task
      const { count, stages, own, at } = position(task)
      for (let stage = stages - 1; stage >= 0; stage--) {
        const distance = 2 ** stage
        if (own % (2 * distance) === 0 && own + distance < count) {
          const other = at(own + distance)
          const done = effects?.copy(tile, other)
          yield machine.unicast(tile, other, size, treeSend, name, 'multicast')
          done?.()
        }
        yield group.quietBarrier.arrive()
      }
    },
    *reduce(task, component, effects) {
      const { group, tile, size, elementBytes, name } = task
      const { count, stages, own, at } = position(task)
      const add = vectorAdd(bytes(size), bytes(elementBytes), machine.chip)
      for (let stage = 0; stage < stages; stage++) {
        const distance = 2 ** stage
        if (own % (2 * distance) === 0 && own + distance < count) {
          const other = at(own + distance)
          const done = effects?.combine(tile, [other])
          yield machine.unicast(tile, other, size, treeFetch, name, component)
          yield machine.compute(tile, 'vector', component, name, add)
          done?.()
        }
        yield group.quietBarrier.arrive()
      }
    },
  }
}
