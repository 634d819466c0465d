import { tileCount, type Chip } from '#shared/hardware/chip.ts'
import { backToBackBarrier } from '#shared/models/collectives/barrier.ts'
import { HBM_TURN_BYTES } from '#shared/models/constants.ts'
import { GroupBarrier } from '#shared/models/event/group-barrier.ts'
import { memoryLatencies } from '#shared/models/event/hbm-channels.ts'
import type { Signal } from '#shared/models/event/simulator.ts'
import { TileMachine } from '#shared/models/event/tile-machine.ts'
import { ExpertCounters } from '#shared/models/event/vector/expert-counters.ts'
import { VectorOperands } from '#shared/models/event/vector/vector-operands.ts'
import { VectorTile, type VectorPrograms } from '#shared/models/event/vector/vector-program.ts'
import { sumOfParts, vectorPart, type VectorPart } from '#shared/models/vector/vector-parts.ts'
import type { TokenWork } from '#shared/models/vector/vector-steps.ts'
import { vectorComponents } from '#shared/results/vector-result.ts'
import type { VectorWorkload } from '#shared/workload/vector.ts'

/** Events that a simulation should need; a kernel of more tokens is simulated in part. */
const EVENT_BUDGET = 1_000_000

/** Tokens of a tile that are simulated at least, for a steady state to show. */
const LEAST_ROUNDS = 12

/** About what a step takes, without the turns of its transfer. Counted. */
const EVENTS_PER_STEP = 5

export interface VectorOptions {
  readonly mostRounds?: number
  readonly stretch?: number
  readonly timelineTiles?: readonly number[]
}

/**
 * A vector kernel on the event engine: run it until it has ended, then ask.
 *
 * The first tokens go round the diagonals of the mesh: token t of a round to row y = t mod rows and
 * column x = (⌊t/rows⌋ − y) mod columns, so that the tokens of a few rows use all columns of links.
 *
 * Where a tile has more tokens than the events allow, some rounds of all tiles are left out, and
 * each takes as long as those of the last two thirds that were simulated. Refreshes, which the
 * channels postpone at first, are then spread over the kernel as the phase engine has them.
 *
 * Source: order and placement of the public kernels of arXiv 2604.02110; times of the steps as in the
 *   phase engine.
 * Leaves out: bank conflicts in L1.
 * Checked by: the validation sets vector-kernels-event-2026 and vector-first-tile-event-2026.
 */
export class VectorSimulation {
  readonly machine: TileMachine
  /** Tokens of the busiest tile, and how many of them are simulated. */
  readonly iterations: number
  readonly simulatedIterations: number
  private readonly ended: Signal
  private readonly tiles: VectorTile[] = []
  private readonly tokens: number
  private readonly fullRounds: number
  private readonly steadyFrom: number
  private tokensDone = 0
  private steadyCycles = 0

  /**
   * @param options.mostRounds most tokens of a tile that are simulated, at least 12
   * @param options.stretch of the channels' time by refresh over the whole kernel
   * @param options.timelineTiles whose operations are kept for a timeline
   */
  constructor(
    workload: VectorWorkload,
    work: TokenWork,
    chip: Chip,
    {
      mostRounds = affordableRounds(workload, work, chip),
      stretch = 1,
      timelineTiles = [],
    }: VectorOptions = {},
  ) {
    const tokensPerRound = tileCount(chip)
    this.iterations = Math.ceil(workload.tokens / tokensPerRound)
    this.simulatedIterations = Math.min(this.iterations, Math.max(LEAST_ROUNDS, mostRounds))
    this.tokens = workload.tokens - this.remainingRounds * tokensPerRound
    this.fullRounds = Math.floor(this.tokens / tokensPerRound)
    this.steadyFrom = Math.floor(this.fullRounds / 3)
    const simulatedChip = this.remainingRounds > 0 ? withMeanRefresh(chip, stretch) : chip
    this.machine = new TileMachine(
      simulatedChip,
      { timelineTiles, sampledTiles: [] },
      memoryLatencies(chip),
    )
    const activeTiles = Math.min(workload.tokens, tokensPerRound)
    const barrier = tokensPerRound > 1 ? backToBackBarrier(chip.tiles.x, chip.tiles.y, chip) : 0
    const operands = new VectorOperands(workload, work, chip, this.machine.channels)
    operands.openFirstRows(this.machine.channels)
    const programs: VectorPrograms = {
      machine: this.machine,
      work,
      operands,
      counters: new ExpertCounters(this.machine, workload),
      // Tiles without a token come at once, and the others are waited for.
      barrier: new GroupBarrier(this.machine, activeTiles, barrier),
      openingBarriers: workload.kernel === 'dispatch' ? 2 : 1,
      tokens: this.tokens,
      tokensPerRound,
      noteToken: round => {
        this.noteToken(round)
      },
    }
    const { simulator } = this.machine
    this.ended = simulator.all(
      Array.from({ length: activeTiles }, (_, token) => {
        const tile = new VectorTile(programs, tileOf(token, chip), token)
        this.tiles.push(tile)
        return simulator.spawn(tile.program())
      }),
    )
  }

  /** Share of the simulated tokens that are done. */
  get progress(): number {
    return this.tokensDone / this.tokens
  }

  /**
   * Handles some events; false when the kernel has ended.
   *
   * @throws Error if its tiles wait for each other for ever: a mistake in their programs
   */
  run(events: number): boolean {
    if (this.machine.simulator.run(events)) return true
    if (this.ended.time === Infinity) throw new Error('the programs of the tiles have not ended')
    return false
  }

  /** Cycles of the part that was simulated, with the closing barrier. */
  get simulatedCycles(): number {
    return this.ended.time
  }

  /** Until tile 0 has computed its last token. */
  get firstTileParts(): VectorPart[] {
    return this.withRemainingRounds(this.tiles[0]?.partsBeforeLastStore ?? [])
  }

  /** Until all tiles are through, as the one that is last spends its time. */
  get allTilesParts(): VectorPart[] {
    const inBarrier = (tile: VectorTile) =>
      sumOfParts(tile.times.parts().filter(({ component }) => component === 'other'))
    const last = this.tiles.reduce((latest, tile) =>
      inBarrier(tile) < inBarrier(latest) ? tile : latest,
    )
    return this.withRemainingRounds(last.times.parts())
  }

  private get remainingRounds(): number {
    return this.iterations - this.simulatedIterations
  }

  /** What is left out is spent on the same as the tokens that were simulated. */
  private withRemainingRounds(parts: readonly VectorPart[]): VectorPart[] {
    if (this.remainingRounds === 0) return [...parts]
    const spentOn = vectorComponents
      .filter(component => component !== 'other')
      .map(component => ({
        component,
        cycles: sumOfParts(parts.filter(part => part.component === component)),
      }))
    const all = spentOn.reduce((sum, { cycles }) => sum + cycles, 0)
    return [
      ...parts,
      ...spentOn.map(({ component, cycles }) =>
        vectorPart(
          component,
          (this.cyclesPerRound * cycles) / all,
          'a token in the steady state',
          '',
          this.remainingRounds,
        ),
      ),
    ]
  }

  /** Mean cycles from token to token of a tile, once the first third of them is through. */
  private get cyclesPerRound(): number {
    const rounds = this.fullRounds - 1 - this.steadyFrom
    return this.steadyCycles / (rounds * this.tiles.length)
  }

  private noteToken(round: number): void {
    this.tokensDone++
    if (round === this.steadyFrom) this.steadyCycles -= this.machine.now
    if (round === this.fullRounds - 1) this.steadyCycles += this.machine.now
  }
}

/** Channels that are slower throughout, instead of pausing for the refreshes they owe. */
const withMeanRefresh = (chip: Chip, stretch: number): Chip => ({
  ...chip,
  hbm: {
    ...chip.hbm,
    efficiency: chip.hbm.efficiency / stretch,
    postponedRefreshes: Infinity,
  },
})

/** The tile of a token of the first round. */
function tileOf(token: number, { tiles }: Pick<Chip, 'tiles'>): number {
  const y = token % tiles.y
  const diagonal = (token - y) / tiles.y
  const x = (((diagonal - y) % tiles.x) + tiles.x) % tiles.x
  return y * tiles.x + x
}

/** Tokens of a tile that the event budget allows. */
function affordableRounds(
  workload: VectorWorkload,
  { steps, storeBytes }: TokenWork,
  chip: Chip,
): number {
  const transfers = steps.filter(step => step.kind === 'load')
  const bytes = transfers.reduce((sum, step) => sum + step.count * step.bytes, storeBytes)
  const count = steps.reduce((sum, step) => sum + step.count, 1)
  const increments = workload.kernel === 'dispatch' ? workload.topK : 0
  const eventsPerToken = EVENTS_PER_STEP * (count + increments) + bytes / HBM_TURN_BYTES
  return Math.floor(EVENT_BUDGET / (eventsPerToken * tileCount(chip)))
}
