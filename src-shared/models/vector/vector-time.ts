import { tileCount, type Chip } from '#shared/hardware/chip.ts'
import { backToBackBarrier, chipBarrier } from '#shared/models/collectives/barrier.ts'
import { DMA_BURST_BYTES } from '#shared/models/constants.ts'
import { refreshStretch } from '#shared/models/memory/hbm.ts'
import {
  channelTime,
  loadQueue,
  tokenLoad,
  tokenStore,
  type Waiting,
} from '#shared/models/vector/token-memory.ts'
import { sumOfParts, vectorPart, type VectorPart } from '#shared/models/vector/vector-parts.ts'
import { tokenWork, type TokenStep, type TokenWork } from '#shared/models/vector/vector-steps.ts'
import { cycles } from '#shared/units/quantity.ts'
import type { VectorWorkload } from '#shared/workload/vector.ts'

/** What the two timers show, and what it is made of. */
export interface VectorTime {
  readonly firstTile: readonly VectorPart[]
  readonly allTiles: readonly VectorPart[]
  readonly work: TokenWork
  /** Tokens of the busiest tile, which follow one another. */
  readonly rounds: number
  /** Whether tiles keep in step, or drift apart because their loads are single bursts. */
  readonly lockStep: boolean
  /** Factor by which refresh stretches the time of the channels. */
  readonly stretch: number
}

/** Tokens that are computed at once, and how often. */
interface Round {
  readonly tiles: number
  readonly count: number
  readonly place: string
}

/**
 * Time of a vector kernel until tile 0 is through, and until all tiles are.
 *
 *   T_first = B + c_near(m) + Σ max( c_near + store , q(r) )
 *   T_all   = B + max( c_last(m) + store(m) , f ) + Σ max( c_last + store , q(r) ) + B
 *
 * c     loads, vector and scalar steps of a token, one after the other, as that tile sees them
 * m     tokens of the first round, one for each tile; the sums run over the further rounds of r
 * q     loads and stores of a round at the rate of the channels, or of the links
 * f     where the tiles drift apart: the first latency and q(m), as a channel that never idles
 *       needs; in lock-step 0
 * B     barrier of the chip; dispatch has one more, after its counters are cleared
 *
 * The tokens go round the tiles, those of one tile are serial. In the first round all tiles load,
 * compute and store together, and c waits behind the others. In the further ones each computes
 * while others load, so such a round takes as long as a token alone or as its traffic. Tiles whose
 * loads and stores are single bursts drift apart from the start, because a burst is served as a
 * whole: the last one to load then stores alone. T_first has no closing barrier and not the last
 * store: it is what the timer of the public kernels shows.
 *
 * Source: order of the public kernels of arXiv 2604.02110; loads, stores and barriers as measured on
 *   the reference simulator.
 * Holds when: the operands lie behind one edge, spread over its channels.
 * Checked by: the validation sets vector-kernels-2026 and vector-first-tile-2026.
 */
export function vectorTime(workload: VectorWorkload, chip: Chip): VectorTime {
  const plain = kernelTime(workload, chip)
  const stretch = refreshStretch(cycles(sumOfParts(plain.allTiles)), chip)
  if (stretch === 1) return { ...plain, stretch }
  const hbm = { ...chip.hbm, efficiency: chip.hbm.efficiency / stretch }
  return { ...kernelTime(workload, { ...chip, hbm }), stretch }
}

function kernelTime(workload: VectorWorkload, chip: Chip): Omit<VectorTime, 'stretch'> {
  const work = tokenWork(workload, chip)
  const tiles = tileCount(chip)
  const [first, ...further] = roundsOf(workload.tokens, tiles)
  const lockStep = work.steps.some(step => step.kind === 'load' && step.bytes > DMA_BURST_BYTES)
  const barrier =
    chipBarrier(chip) > 0 ? backToBackBarrier(chip.tiles.x, chip.tiles.y, chip) : cycles(0)
  const opening = [
    vectorPart('other', barrier, 'barrier of the chip', 'at the start'),
    vectorPart(
      'other',
      workload.kernel === 'dispatch' ? barrier : 0,
      'barrier of the chip',
      'after the counters are cleared',
    ),
  ]
  const chain = (waiting: Waiting) => chainOf(work.steps, first, waiting, chip)
  const store = (round: Round, waiting: Waiting) =>
    vectorPart(
      'hbm',
      tokenStore(work.storeBytes, waiting, round.tiles, chip),
      'store',
      round.place,
      round.count,
    )
  const loadTime = (active: number) => loadsOf(work.steps, active, chip)
  const storeTime = (active: number) => channelTime(work.storeBytes, active, chip)
  /** The rounds after the first, in which the stores of `storing` tiles come between the loads. */
  const furtherRounds = (tile: Waiting['tile'], storing: (round: Round) => number) =>
    further.flatMap(round => {
      const alone: Waiting = { tile, behind: 'none' }
      return atLeast(
        [...chainOf(work.steps, round, alone, chip), store(round, alone)],
        round.count * (loadTime(round.tiles) + storeTime(storing(round))),
        round.place,
      )
    })

  const lastStore = store(first, { tile: 'last', behind: lockStep ? 'all' : 'none' })
  const last = chain({ tile: 'last', behind: 'all' })
  const queued = chain({ tile: 'nearest', behind: 'all' })
  const slowest = sumOfParts(queued) > sumOfParts(last) ? queued : last
  const [firstLoad] = work.steps
  const latency =
    firstLoad?.kind === 'load'
      ? tokenLoad(firstLoad, { tile: 'last', behind: 'none' }, first.tiles, chip) -
        Math.ceil(firstLoad.bytes / chip.noc.flit)
      : 0
  return {
    firstTile: [
      ...opening,
      ...chain({ tile: 'nearest', behind: 'earlier' }),
      ...furtherRounds('nearest', () => first.tiles),
    ],
    allTiles: [
      ...opening,
      ...atLeast(
        [...slowest, lastStore],
        lockStep ? 0 : latency + loadTime(first.tiles) + storeTime(first.tiles),
        first.place,
      ),
      ...furtherRounds('last', round => round.tiles),
      vectorPart('other', barrier, 'barrier of the chip', 'at the end'),
    ],
    work,
    rounds: Math.ceil(workload.tokens / tiles),
    lockStep,
  }
}

const loadsOf = (steps: readonly TokenStep[], tiles: number, chip: Chip): number =>
  steps.reduce(
    (sum, step) => (step.kind === 'load' ? sum + step.count * loadQueue(step, tiles, chip) : sum),
    0,
  )

/** The first round, the full ones after it, and the last one if it is not full. */
function roundsOf(tokens: number, tiles: number): [Round, ...Round[]] {
  const full = Math.floor(tokens / tiles)
  const rest = tokens - full * tiles
  const first = { tiles: Math.min(tokens, tiles), count: 1, place: 'in the first round' }
  if (full === 0) return [first]
  return [
    first,
    ...(full > 1 ? [{ tiles, count: full - 1, place: 'in further rounds' }] : []),
    ...(rest > 0 ? [{ tiles: rest, count: 1, place: 'in the last round' }] : []),
  ]
}

const chainOf = (
  steps: readonly TokenStep[],
  { tiles, count, place }: Round,
  waiting: Waiting,
  chip: Chip,
): VectorPart[] =>
  steps.map(step =>
    step.kind === 'load'
      ? vectorPart(
          'hbm',
          tokenLoad(step, waiting, tiles, chip),
          step.name,
          place,
          count * step.count,
        )
      : vectorPart(step.kind, step.cycles, step.name, place, count * step.count),
  )

/** Some parts, and a wait for the channels if together they take less than `least`. */
function atLeast(parts: readonly VectorPart[], least: number, place: string): VectorPart[] {
  const wait = Math.max(0, least - sumOfParts(parts))
  return [...parts, vectorPart('hbm', wait, 'wait for the channels', place)]
}
