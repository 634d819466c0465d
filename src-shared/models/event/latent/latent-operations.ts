import type { Chip } from '#shared/hardware/chip.ts'
import type { LatentCosts } from '#shared/models/attention/latent-costs.ts'
import { L1_CONTENTION_PER_PHASE_CYCLES } from '#shared/models/constants.ts'
import type {
  BlockPosition,
  BufferSet,
  Completion,
} from '#shared/models/event/attention/attention-data.ts'
import type { LatentData } from '#shared/models/event/latent/latent-data.ts'
import type { LatentKernelPrograms } from '#shared/models/event/latent/latent-kernel.ts'
import type { Program, Signal } from '#shared/models/event/simulator.ts'

/** A block of scores of one of two sequences that may be interleaved. */
export interface LatentStep extends BlockPosition {
  readonly set: BufferSet
}

/** Slots of each kind of chunk: while one is multiplied, the next is loaded. */
export const SLOTS = 2

/** What a tile of absorbed MLA does by itself on its engines: each operation with its time and effect. */
export class LatentOperations {
  readonly kernel: LatentKernelPrograms
  readonly tile: number
  private keysUsed = 0
  private valuesUsed = 0

  constructor(kernel: LatentKernelPrograms, tile: number) {
    this.kernel = kernel
    this.tile = tile
  }

  get costs(): LatentCosts {
    return this.kernel.costs
  }

  get data(): LatentData | undefined {
    return this.kernel.data
  }

  get chip(): Chip {
    return this.kernel.machine.chip
  }

  after(cycles: number): number {
    return this.kernel.machine.now + cycles
  }

  spawn(program: Program): Signal {
    return this.kernel.machine.simulator.spawn(program)
  }

  *scores({ set }: LatentStep, chunk: number): Program {
    const slot = this.keysUsed++ % SLOTS
    const query = this.kernel.keepsWholeQuery ? chunk : slot
    yield this.launch()
    const done = this.data?.scores(this.tile, set, chunk, query, slot)
    yield this.matrix('Q · Kᵀ of a chunk', this.kernel.keyCosts(chunk).matrix)
    done?.()
  }

  *output({ set }: LatentStep, chunk: number): Program {
    const slot = this.valuesUsed++ % SLOTS
    yield this.launch()
    const done = this.data?.multiplyValues(this.tile, set, { chunk, slot })
    yield this.matrix('P · V of a chunk', this.kernel.valueCosts(chunk).matrix)
    done?.()
  }

  /** An operation of the vector engines; `effect` is begun with it and ends with it. */
  *vector(name: string, cycles: number, effect?: Completion): Program {
    yield this.kernel.machine.compute(this.tile, 'vector', 'vector', name, cycles)
    effect?.()
  }

  *rowMaximum({ set, ...at }: LatentStep, cycles: number): Program {
    yield* this.vector('row maxima', cycles, this.data?.rowMaximum(this.tile, set, at))
  }

  *exponentials({ set }: LatentStep, cycles: number): Program {
    yield* this.vector('exponentials', cycles, this.data?.exponentials(this.tile, set))
  }

  *rowSums({ set }: LatentStep, cycles: number): Program {
    yield* this.vector('row sums', cycles, this.data?.rowSums(this.tile, set))
  }

  *normalise({ set }: LatentStep, cycles: number): Program {
    const done = this.data?.normalise(this.tile, set)
    yield* this.vector('normalisation of the scores', cycles, done)
  }

  *rescale({ set }: LatentStep, chunk: number): Program {
    const done = this.data?.rescale(this.tile, set, chunk)
    yield* this.vector('rescaling of a chunk of O', this.kernel.valueCosts(chunk).rescale, done)
  }

  *divide({ set }: LatentStep, chunk: number): Program {
    const done = this.data?.divide(this.tile, set, chunk)
    yield* this.vector('division of a chunk of O', this.kernel.valueCosts(chunk).divide, done)
  }

  *clearScores({ set }: Pick<LatentStep, 'set'>): Program {
    const done = this.data?.clear(this.tile, { kind: 'scores', set })
    yield this.local('clearing of the scores', this.costs.slice.clearScores)
    done?.()
  }

  /** Before the timer of the kernel starts. */
  beginCleared(set: BufferSet): void {
    for (const chunk of this.costs.values.keys()) {
      this.data?.clear(this.tile, { kind: 'output', set, chunk })()
    }
  }

  private launch(): number {
    const { launch, sync } = this.costs.slice
    return this.after(launch + 2 * sync)
  }

  private matrix(name: string, cycles: number): number {
    const busy = cycles + L1_CONTENTION_PER_PHASE_CYCLES
    return this.kernel.machine.compute(this.tile, 'matrix', 'matrix', name, busy)
  }

  /** A copy or fill inside L1, by the DMA. */
  protected local(name: string, cycles: number): number {
    return this.kernel.machine.compute(this.tile, 'dma', 'other', name, cycles)
  }
}
