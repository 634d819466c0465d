import { chipBarrier } from '#shared/models/collectives/barrier.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import type { AttentionData } from '#shared/models/event/attention/attention-data.ts'
import { AttentionKernelPrograms } from '#shared/models/event/attention/attention-operations.ts'
import { AttentionTile } from '#shared/models/event/attention/attention-tiles.ts'
import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'
import {
  flashAttention2Program,
  flashAttention3Program,
} from '#shared/models/event/attention/flash-programs.ts'
import { flatAsyncProgram } from '#shared/models/event/attention/flat-async-program.ts'
import { flatSyncProgram } from '#shared/models/event/attention/flat-sync-program.ts'
import { interleavedHeads } from '#shared/models/event/attention/interleaved-heads.ts'
import { latentAsyncProgram } from '#shared/models/event/latent/latent-async-program.ts'
import type { LatentData } from '#shared/models/event/latent/latent-data.ts'
import { latentSyncProgram } from '#shared/models/event/latent/latent-sync-program.ts'
import { LatentKernelPrograms } from '#shared/models/event/latent/latent-kernel.ts'
import { LatentTile } from '#shared/models/event/latent/latent-tile.ts'
import type { Program } from '#shared/models/event/simulator.ts'
import type { TileGroup } from '#shared/models/event/tile-group.ts'
import type { TileMachine } from '#shared/models/event/tile-machine.ts'
import { isAbsorbed } from '#shared/workload/attention.ts'

/** Told at the end of `blocks` column blocks, which open a row block or not. */
export type BlockListener = (opensRowBlock: boolean, blocks: number) => void

/** A tile with the program that it runs. */
export interface ProgrammedTile {
  readonly tile: number
  readonly isLoader: boolean
  readonly program: (work: readonly RowBlock[]) => Program
}

/** Gives the tile at a place of a group its program. */
export type TileFactory = (
  group: TileGroup,
  ix: number,
  iy: number,
  onBlock: BlockListener,
) => ProgrammedTile

/** Who executes the kernel on real numbers: the one for absorbed MLA, or the one for all others. */
export interface KernelData {
  readonly data?: AttentionData
  readonly latentData?: LatentData
}

/** The tiles of a kernel: those of absorbed MLA work in chunks, all others on whole slices. */
export function tileFactory(
  dataflow: Dataflow,
  shape: KernelShape,
  machine: TileMachine,
  data: KernelData,
): TileFactory {
  const opening = chipBarrier(machine.chip)
  if (isAbsorbed(shape.workload)) {
    const kernel = new LatentKernelPrograms(dataflow, shape, machine, data.latentData)
    return (group, ix, iy, onBlock) => {
      const tile = new LatentTile(kernel, group, ix, iy, onBlock)
      const program = (work: readonly RowBlock[]) => latentProgram(dataflow, tile, work)
      return { tile: tile.tile, isLoader: tile.isLoader, program: afterwards(opening, program) }
    }
  }
  const kernel = new AttentionKernelPrograms(dataflow, shape, machine, data.data)
  return (group, ix, iy, onBlock) => {
    const tile = new AttentionTile(kernel, group, ix, iy, opensRowBlock => {
      onBlock(opensRowBlock, 1)
    })
    const program = (work: readonly RowBlock[]) => sliceProgram(dataflow, tile, work)
    return { tile: tile.tile, isLoader: tile.isLoader, program: afterwards(opening, program) }
  }
}

/** Starts a program some cycles after the start of the simulation. */
function afterwards(start: number, program: ProgrammedTile['program']): ProgrammedTile['program'] {
  return function* (work) {
    yield start
    yield* program(work)
  }
}

function* latentProgram(dataflow: Dataflow, tile: LatentTile, work: readonly RowBlock[]): Program {
  if (dataflow !== 'flat-async') {
    yield* latentSyncProgram(tile, work)
    return
  }
  const [alpha, beta, single] = interleavedHeads(work)
  yield* latentAsyncProgram(tile, alpha, beta)
  yield* latentSyncProgram(tile, single)
}

function* sliceProgram(
  dataflow: Dataflow,
  tile: AttentionTile,
  work: readonly RowBlock[],
): Program {
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
    case 'flat-async': {
      const [alpha, beta, single] = interleavedHeads(work)
      if (alpha.length > 0) yield* flatAsyncProgram(tile, alpha, beta)
      yield* flatSyncProgram(tile, single)
      return
    }
    case 'flash-mla':
    case 'flash-mla-fair':
      throw new Error(`${dataflow} is for absorbed MLA only`)
  }
}
