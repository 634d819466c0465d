import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { chipBarrier } from '#shared/models/collectives/barrier.ts'
import type { AttentionData } from '#shared/models/event/attention/attention-data.ts'
import {
  AttentionKernelPrograms,
  AttentionTile,
} from '#shared/models/event/attention/attention-tiles.ts'
import { groupWork, type RowBlock } from '#shared/models/event/attention/attention-work.ts'
import {
  flashAttention2Program,
  flashAttention3Program,
} from '#shared/models/event/attention/flash-programs.ts'
import { flatAsyncProgram } from '#shared/models/event/attention/flat-async-program.ts'
import { flatSyncProgram } from '#shared/models/event/attention/flat-sync-program.ts'
import type { Program, Signal } from '#shared/models/event/simulator.ts'
import { tileGroups, type LoaderPlacement } from '#shared/models/event/tile-group.ts'
import { TileMachine } from '#shared/models/event/tile-machine.ts'
import type { Chip } from '#shared/hardware/chip.ts'

export interface EventOptions {
  readonly loaders: LoaderPlacement
  readonly timelineTiles: readonly number[]
}

export function startAttention(
  dataflow: Dataflow,
  shape: KernelShape,
  chip: Chip,
  options: EventOptions,
  data?: AttentionData,
): { machine: TileMachine; ended: Signal } {
  const work = groupWork(shape, chip)
  const perRow = Math.floor(chip.tiles.x / shape.groupX)
  const sampled = work.map(
    (_, g) => Math.floor(g / perRow) * shape.groupY * chip.tiles.x + (g % perRow) * shape.groupX,
  )
  const every = Math.max(1, Math.floor(sampled.length / 64))
  const machine = new TileMachine(chip, {
    timelineTiles: options.timelineTiles,
    sampledTiles: sampled.filter((_, i) => i % every === 0),
  })
  const kernel = new AttentionKernelPrograms(dataflow, shape, machine, data)
  const groups = tileGroups(machine, shape, options.loaders, shape.activeGroups)
  const ends: Signal[] = []
  groups.forEach((group, index) => {
    const rowBlocks = work[index] ?? []
    for (let iy = 0; iy < shape.groupY; iy++) {
      for (let ix = 0; ix < shape.groupX; ix++) {
        const tile = new AttentionTile(kernel, group, ix, iy)
        ends.push(machine.simulator.spawn(tileProgram(dataflow, tile, rowBlocks)))
      }
    }
  })
  return { machine, ended: machine.simulator.all(ends) }
}

function* tileProgram(dataflow: Dataflow, tile: AttentionTile, work: readonly RowBlock[]): Program {
  yield tile.after(chipBarrier(tile.kernel.machine.chip))
  switch (dataflow) {
    case 'fa2':
      yield* flashAttention2Program(tile, work)
      return
    case 'fa3':
      yield* flashAttention3Program(tile, work)
      return
    case 'flat-sc':
    case 'flat-tc':
    case 'flat-hc':
      yield* flatSyncProgram(tile, work)
      return
    case 'flat-async':
      yield* asynchronousProgram(tile, work)
  }
}

/** Jobs run in pairs; one that is left over runs alone. */
function* asynchronousProgram(tile: AttentionTile, work: readonly RowBlock[]): Program {
  const jobs = [...new Set(work.map(block => block.job))]
  const paired = jobs.length - (jobs.length % 2)
  const of = (parity: number) =>
    work.filter(block => {
      const index = jobs.indexOf(block.job)
      return index < paired && index % 2 === parity
    })
  if (paired > 0 && work.some(block => block.columnBlocks > 0)) {
    yield* flatAsyncProgram(tile, of(0), of(1))
    yield* flatSyncProgram(
      tile,
      work.filter(block => jobs.indexOf(block.job) >= paired),
    )
  } else {
    yield* flatSyncProgram(tile, work)
  }
}
