import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { chipBarrier } from '#shared/models/collectives/barrier.ts'
import { groupWork, type RowBlock } from '#shared/models/event/attention/attention-work.ts'
import { interleavedHeads } from '#shared/models/event/attention/interleaved-heads.ts'
import {
  rowBlocksOf,
  steadyRowBlocks,
  steadyState,
  type BlockTimes,
} from '#shared/models/event/attention/steady-state.ts'
import {
  tileFactory,
  type KernelData,
  type ProgrammedTile,
  type TileFactory,
} from '#shared/models/event/attention/tile-programs.ts'
import {
  columnBlocksOf,
  sampleWork,
  truncateWork,
} from '#shared/models/event/attention/truncated-work.ts'
import type { Signal } from '#shared/models/event/simulator.ts'
import {
  tileGroups,
  type LoaderPlacement,
  type TileGroup,
} from '#shared/models/event/tile-group.ts'
import { TileMachine } from '#shared/models/event/tile-machine.ts'
import type { Chip } from '#shared/hardware/chip.ts'

export interface AttentionWatch extends KernelData {
  /** Tiles whose operations are kept for a timeline. */
  readonly timelineTiles: readonly number[]
  /** Most column blocks of a group that are simulated; the rest is extrapolated. */
  readonly mostIterations?: number
}

/** Groups over whose exposed time the breakdown is averaged, at most. */
const SAMPLED_GROUPS = 64

/** An attention kernel that runs on a simulated chip. */
export class AttentionSimulation {
  readonly iterationName = 'column blocks'
  readonly machine: TileMachine
  /** Column blocks of the busiest group, and how many of them are simulated. */
  readonly iterations: number
  readonly simulatedIterations: number
  private readonly chip: Chip
  private readonly watch: AttentionWatch
  private readonly groups: GroupProgress[]
  private readonly ended: Signal
  private readonly blocksToSimulate: number
  /** Tiles that are not simulated, each with the one that stands for it. */
  private readonly alike: [number, number][] = []
  private blocksDone = 0

  constructor(
    dataflow: Dataflow,
    shape: KernelShape,
    chip: Chip,
    loaders: LoaderPlacement,
    watch: AttentionWatch,
  ) {
    this.chip = chip
    this.watch = watch
    const work = groupWork(shape, chip)
    const limit = watch.mostIterations ?? Infinity
    this.groups = work.map(all => {
      const whole = partsOf(dataflow, all)
      return { whole, simulated: limitedParts(whole, limit), times: [], opensRowBlock: [] }
    })
    const simulated = this.groups.map(({ simulated: { paired, single } }) => [...paired, ...single])
    this.iterations = Math.max(0, ...work.map(columnBlocksOf))
    this.simulatedIterations = Math.max(0, ...simulated.map(columnBlocksOf))
    this.blocksToSimulate = simulated.reduce((sum, part) => sum + columnBlocksOf(part), 0)

    const corners = simulated.map((_, index) => cornerTile(index, shape, chip))
    const every = Math.ceil(corners.length / SAMPLED_GROUPS)
    this.machine = new TileMachine(chip, {
      timelineTiles: watch.timelineTiles,
      sampledTiles: corners.filter((_, index) => index % every === 0),
    })
    const tileOf = tileFactory(dataflow, shape, this.machine, watch)
    const groups = tileGroups(this.machine, shape, loaders, shape.activeGroups)
    this.ended = this.machine.simulator.all(
      groups.flatMap((group, index) =>
        this.startGroup(dataflow, tileOf, group, index, simulated[index] ?? []),
      ),
    )
  }

  /** Share of the simulated part that is done. */
  get progress(): number {
    return this.blocksToSimulate > 0 ? this.blocksDone / this.blocksToSimulate : 1
  }

  /** Handles some events; false when the kernel has ended. */
  run(events: number): boolean {
    const goesOn = this.machine.simulator.run(events)
    if (!goesOn) {
      for (const [from, to] of this.alike) this.machine.activity.copyBusyTimes(from, to)
    }
    return goesOn
  }

  /** Cycles of the part that was simulated, with the closing barrier. */
  get simulatedCycles(): number {
    return this.ended.time + chipBarrier(this.chip)
  }

  /**
   * Cycles of the whole kernel: the busiest group's remaining blocks follow in the steady state, in
   * one of their own where a head has no other to run beside.
   */
  get cycles(): number {
    const paired = this.groups.map(({ whole, times, opensRowBlock, simulated }) => ({
      work: whole.paired,
      times: times.slice(0, columnBlocksOf(simulated.paired)),
      opensRowBlock: opensRowBlock.slice(0, columnBlocksOf(simulated.paired)),
    }))
    const single = this.groups.map(({ whole, times, opensRowBlock, simulated }) => ({
      work: whole.single,
      times: times.slice(columnBlocksOf(simulated.paired)),
      opensRowBlock: opensRowBlock.slice(columnBlocksOf(simulated.paired)),
    }))
    const [ofPairs, ofSingles] = [remainingOfPairs(paired), remainingOfSingles(single)]
    const remaining = ofPairs.map((cycles, group) => cycles + (ofSingles[group] ?? 0))
    return this.simulatedCycles + Math.max(0, ...remaining)
  }

  private startGroup(
    dataflow: Dataflow,
    tileOf: TileFactory,
    group: TileGroup,
    index: number,
    work: readonly RowBlock[],
  ): Signal[] {
    const { simulator } = this.machine
    const tiles: ProgrammedTile[] = []
    let follower: ProgrammedTile | undefined
    for (let iy = 0; iy < group.area.rows; iy++) {
      for (let ix = 0; ix < group.area.columns; ix++) {
        const reports = ix === 0 && iy === 0
        const tile = tileOf(group, ix, iy, (opensRowBlock, blocks) => {
          if (reports) this.noteBlocks(index, opensRowBlock, blocks)
        })
        const mayStandIn = !reports && !tile.isLoader && this.mayBeLeftOut(dataflow, tile.tile)
        if (mayStandIn && follower !== undefined) {
          this.alike.push([follower.tile, tile.tile])
          continue
        }
        if (mayStandIn) follower = tile
        tiles.push(tile)
      }
    }
    group.expect(tiles.length)
    return tiles.map(tile => simulator.spawn(tile.program(work)))
  }

  /**
   * Tiles of a group that neither load nor store do the same at the same time, so one stands for
   * all. Not where tiles send to each other one by one, where numbers are to be computed, or where
   * somebody watches.
   */
  private mayBeLeftOut(dataflow: Dataflow, tile: number): boolean {
    const { data, latentData, timelineTiles } = this.watch
    const byRouters = dataflow === 'flat-hc' || dataflow === 'flat-async'
    const computes = data !== undefined || latentData !== undefined
    return byRouters && !computes && !timelineTiles.includes(tile)
  }

  /** Blocks that end together, as of interleaved sequences, count as if one had followed the other. */
  private noteBlocks(group: number, opensRowBlock: boolean, count: number): void {
    this.blocksDone += count
    const progress = this.groups[group]
    if (progress === undefined) return
    const before = progress.times.at(-1) ?? 0
    for (let index = 1; index <= count; index++) {
      progress.times.push(before + ((this.machine.now - before) * index) / count)
      progress.opensRowBlock.push(opensRowBlock)
    }
  }
}

function cornerTile(group: number, shape: KernelShape, chip: Chip): number {
  const perRow = Math.floor(chip.tiles.x / shape.groupX)
  const y = Math.floor(group / perRow) * shape.groupY
  return y * chip.tiles.x + (group % perRow) * shape.groupX
}

/** Row blocks of heads that run in pairs, α and β in turns, and of those that run alone. */
interface WorkParts {
  readonly paired: readonly RowBlock[]
  readonly single: readonly RowBlock[]
}

interface GroupProgress {
  readonly whole: WorkParts
  readonly simulated: WorkParts
  /** When the simulated column blocks were done: first those of the pairs. */
  readonly times: number[]
  readonly opensRowBlock: boolean[]
}

function partsOf(dataflow: Dataflow, work: readonly RowBlock[]): WorkParts {
  if (dataflow !== 'flat-async') return { paired: [], single: work }
  const [alpha, beta, single] = interleavedHeads(work)
  return { paired: alpha.flatMap((rowBlock, index) => [rowBlock, beta[index] ?? rowBlock]), single }
}

/** Both heads of a pair are cut at the same place; a head that is left over gets a third. */
function limitedParts(whole: WorkParts, limit: number): WorkParts {
  if (columnBlocksOf(whole.paired) + columnBlocksOf(whole.single) <= limit) return whole
  if (whole.paired.length === 0) return { paired: [], single: sampleWork(whole.single, limit) }
  const forSingle = Math.min(columnBlocksOf(whole.single), Math.floor(limit / 3))
  const perHead = Math.ceil((limit - forSingle) / 2)
  const alpha = truncateWork(everySecond(whole.paired, 0), perHead)
  const beta = truncateWork(everySecond(whole.paired, 1), perHead)
  return {
    paired: alpha.flatMap((rowBlock, index) => [rowBlock, beta[index] ?? rowBlock]),
    single: truncateWork(whole.single, forSingle),
  }
}

const everySecond = (work: readonly RowBlock[], first: 0 | 1): RowBlock[] =>
  work.filter((_, index) => index % 2 === first)

type Remaining = readonly (BlockTimes & { readonly work: readonly RowBlock[] })[]

const busyRows = (work: readonly RowBlock[]): RowBlock[] =>
  work.filter(({ columnBlocks }) => columnBlocks > 0)

/** What each group still has to do in the steady state of all of them. */
function remainingOfPairs(groups: Remaining): number[] {
  const { perColumnBlock, perRowBlock } = steadyState(groups)
  return groups.map(({ work, times, opensRowBlock }) => {
    const columns = columnBlocksOf(work) - times.length
    const rows = busyRows(work).length - opensRowBlock.filter(Boolean).length
    return columns * perColumnBlock + Math.max(0, rows) * perRowBlock
  })
}

/**
 * The same where one head runs at a time; of long row blocks two were sampled, each of which goes on
 * as it was seen, and those that follow as the second.
 */
function remainingOfSingles(groups: Remaining): number[] {
  const common = steadyState(groups)
  const sampled = steadyRowBlocks(groups)
  const simple = remainingOfPairs(groups)
  return groups.map(({ work, times, opensRowBlock }, group) => {
    const rows = busyRows(work)
    const done = rowBlocksOf({ times, opensRowBlock })
    const isSample = done
      .slice(0, -1)
      .some((row, index) => row.times.length < (rows[index]?.columnBlocks ?? 0))
    if (!isSample) return simple[group] ?? 0
    const columns = rows.map((row, index) => {
      const steady = sampled[Math.min(index, sampled.length - 1)] ?? common
      return (row.columnBlocks - (done[index]?.times.length ?? 0)) * steady.perColumnBlock
    })
    const rowsLeft = Math.max(0, rows.length - done.length)
    return columns.reduce((sum, cycles) => sum + cycles, rowsLeft * common.perRowBlock)
  })
}
