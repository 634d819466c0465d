import { LOAD_ISSUE_CYCLES } from '#shared/models/constants.ts'
import type { ExpertCounters } from '#shared/models/event/vector/expert-counters.ts'
import { TileTimes } from '#shared/models/event/vector/tile-times.ts'
import type { VectorOperands } from '#shared/models/event/vector/vector-operands.ts'
import type { GroupBarrier } from '#shared/models/event/group-barrier.ts'
import type { Program, Signal } from '#shared/models/event/simulator.ts'
import type { TileMachine } from '#shared/models/event/tile-machine.ts'
import type { LoadStep, TokenWork, WorkStep } from '#shared/models/vector/vector-steps.ts'
import type { VectorPart } from '#shared/models/vector/vector-parts.ts'
import type { VectorComponent } from '#shared/results/vector-result.ts'

/** What all tiles of a vector kernel share. */
export interface VectorPrograms {
  readonly machine: TileMachine
  readonly work: TokenWork
  readonly operands: VectorOperands
  readonly counters: ExpertCounters
  readonly barrier: GroupBarrier
  /** Barriers before the first token. */
  readonly openingBarriers: number
  /** Tokens that are simulated. */
  readonly tokens: number
  /** Tokens of a round: one for each tile of the chip. */
  readonly tokensPerRound: number
  /** A tile is through with its token of a round. */
  noteToken(round: number): void
}

/**
 * One tile in a vector kernel: its tokens one after the other, and of each token the loads, the
 * arithmetic and the store, each waiting for the one before. A store is waited for until the write
 * buffers have it, and then delays the loads of others at its channels.
 *
 * Source: order of the public kernels of arXiv 2604.02110.
 */
export class VectorTile {
  readonly times = new TileTimes()
  /** What the tile has done when its last token is computed, but not stored. */
  partsBeforeLastStore: readonly VectorPart[] = []
  private readonly programs: VectorPrograms
  private readonly tile: number
  private readonly firstToken: number

  constructor(programs: VectorPrograms, tile: number, firstToken: number) {
    this.programs = programs
    this.tile = tile
    this.firstToken = firstToken
  }

  *program(): Program {
    const { programs, tile, firstToken } = this
    const { machine, operands, barrier, tokens, tokensPerRound } = programs
    for (let index = 0; index < programs.openingBarriers; index++) {
      yield* this.waitFor('other', 'barrier of the chip', barrier.arrive())
    }
    for (let token = firstToken, round = 0; token < tokens; token += tokensPerRound, round++) {
      yield* this.compute(token)
      if (token + tokensPerRound >= tokens) this.partsBeforeLastStore = this.times.parts()
      yield* this.waitFor('hbm', 'store', machine.store(tile, operands.store(token), 'store'))
      programs.noteToken(round)
    }
    yield* this.waitFor('other', 'barrier of the chip', barrier.arrive())
  }

  private *compute(token: number): Program {
    for (const step of this.programs.work.steps) {
      if (step.kind === 'load') yield* this.load(step, token)
      else yield* this.calculate(step, token)
    }
  }

  private *load(step: LoadStep, token: number): Program {
    const { machine, operands } = this.programs
    for (const blocks of operands.loads(step, token)) {
      const loads = blocks.map(block =>
        machine.load(this.tile, block, step.name, LOAD_ISSUE_CYCLES),
      )
      yield* this.waitFor('hbm', step.name, machine.simulator.all(loads))
    }
  }

  private *calculate({ kind, name, cycles, count }: WorkStep, token: number): Program {
    const { machine, counters } = this.programs
    if (kind === 'noc') {
      const start = machine.now
      yield* counters.count(this.tile, token, name)
      this.times.add('noc', name, machine.now - start)
      return
    }
    const [engine, component] =
      kind === 'vector' ? (['vector', 'vector'] as const) : (['sync', 'other'] as const)
    for (let index = 0; index < count; index++) {
      yield* this.waitFor(kind, name, machine.compute(this.tile, engine, component, name, cycles))
    }
  }

  private *waitFor(component: VectorComponent, name: string, end: number | Signal): Program {
    const { machine } = this.programs
    const start = machine.now
    yield end
    this.times.add(component, name, machine.now - start)
  }
}
