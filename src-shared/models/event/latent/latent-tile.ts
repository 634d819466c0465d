import type { Chip } from '#shared/hardware/chip.ts'
import { isFlashMla, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import {
  latentCosts,
  type KeyChunkCosts,
  type LatentCosts,
  type ValueChunkCosts,
} from '#shared/models/attention/latent-costs.ts'
import { keepsWholeQuery } from '#shared/models/attention/latent-occupancy.ts'
import { L1_CONTENTION_PER_PHASE_CYCLES } from '#shared/models/constants.ts'
import type {
  BlockPosition,
  BufferSet,
  Completion,
} from '#shared/models/event/attention/attention-data.ts'
import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'
import type { LatentBuffer, LatentData } from '#shared/models/event/latent/latent-data.ts'
import { LatentOperands } from '#shared/models/event/latent/latent-operands.ts'
import {
  lineCollectives,
  type LineCollectives,
  type LineEffects,
} from '#shared/models/event/line-collectives.ts'
import type { Program, Signal } from '#shared/models/event/simulator.ts'
import type { TileGroup } from '#shared/models/event/tile-group.ts'
import type { TileMachine } from '#shared/models/event/tile-machine.ts'

/** What all tiles of a kernel of absorbed MLA share. */
export class LatentKernelPrograms {
  readonly machine: TileMachine
  readonly shape: KernelShape
  readonly costs: LatentCosts
  readonly operands: LatentOperands
  readonly collectives: LineCollectives
  readonly keepsWholeQuery: boolean
  /** Tiles load for themselves and share nothing but, where they split KV, their results. */
  readonly isFlash: boolean
  readonly data: LatentData | undefined

  constructor(
    dataflow: Dataflow,
    shape: KernelShape,
    machine: TileMachine,
    data: LatentData | undefined,
  ) {
    this.machine = machine
    this.data = data
    this.shape = shape
    this.costs = latentCosts(shape, machine.chip)
    this.isFlash = isFlashMla(dataflow)
    this.operands = new LatentOperands(shape, machine.chip, this.isFlash)
    this.collectives = lineCollectives(dataflow, machine)
    this.keepsWholeQuery = keepsWholeQuery(dataflow)
  }
}

/** A block of scores of one of two sequences that may be interleaved. */
export interface LatentStep extends BlockPosition {
  readonly set: BufferSet
}

/** Slots of each kind of chunk: while one is multiplied, the next is loaded. */
const SLOTS = 2

/**
 * The operations of one tile in absorbed MLA, each with its time and its effect. Chunks are used in
 * the order in which they are brought, so that each knows its slot by counting.
 */
export class LatentTile {
  readonly kernel: LatentKernelPrograms
  readonly group: TileGroup
  readonly tile: number
  readonly ix: number
  readonly isRowLoader: boolean
  readonly isColumnLoader: boolean
  readonly sharesRow: boolean
  readonly sharesColumn: boolean
  private readonly iy: number
  private keysBrought = 0
  private keysUsed = 0
  private valuesBrought = 0
  private valuesUsed = 0
  private readonly onBlock: (opensRowBlock: boolean, blocks: number) => void

  /** @param onBlock told at the end of each column block, or of several at once */
  constructor(
    kernel: LatentKernelPrograms,
    group: TileGroup,
    ix: number,
    iy: number,
    onBlock: (opensRowBlock: boolean, blocks: number) => void,
  ) {
    this.kernel = kernel
    this.group = group
    this.ix = ix
    this.iy = iy
    this.onBlock = onBlock
    this.tile = group.tile(ix, iy)
    this.isRowLoader = kernel.isFlash || group.rowLoader(iy) === this.tile
    this.isColumnLoader = kernel.isFlash || group.columnLoader(ix) === this.tile
    this.sharesRow = !kernel.isFlash && group.area.columns > 1
    this.sharesColumn = !kernel.isFlash && group.area.rows > 1
  }

  get isLoader(): boolean {
    return this.isRowLoader || this.isColumnLoader
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

  /** Says that a column block is done; of interleaved sequences, one of each. */
  finishBlock(at: BlockPosition, blocks = 1): void {
    this.onBlock(at.columnBlock === 0, blocks)
  }

  after(cycles: number): number {
    return this.kernel.machine.now + cycles
  }

  spawn(program: Program): Signal {
    return this.kernel.machine.simulator.spawn(program)
  }

  /** All tiles of the group meet; a tile that shares nothing goes on at once. */
  *barrier(): Program {
    if (this.sharesRow || this.sharesColumn) yield this.group.barrier.arrive()
  }

  /** All of Q, which stays in L1 for all column blocks of a row block. */
  *loadWholeQuery(rowBlock: RowBlock): Program {
    const { machine, operands } = this.kernel
    const parts = operands.wholeQuery(rowBlock, this.iy)
    const loaded = [...this.costs.keys.keys()].map(chunk =>
      this.data?.loadQuery(this.tile, { chunk, slot: chunk }, rowBlock),
    )
    yield machine.simulator.all(parts.map(part => machine.load(this.tile, part, 'load of Q')))
    for (const done of loaded) done?.()
  }

  /** What a chunk of the scores needs: Q along the row of the group, K along its column. */
  *bringKey(at: BlockPosition, chunk: number): Program {
    const { machine, operands } = this.kernel
    const { query, key, transpose } = keyCosts(this, chunk)
    const slot = this.keysBrought++ % SLOTS
    if (!this.kernel.keepsWholeQuery) {
      if (this.isRowLoader) {
        const done = this.data?.loadQuery(this.tile, { chunk, slot }, at.rowBlock)
        const block = operands.queryChunk(at.rowBlock, this.iy, chunk)
        yield machine.load(this.tile, block, 'load of Q')
        done?.()
      }
      yield* this.multicastRow(query, 'multicast of Q', { kind: 'query', slot })
    }
    if (this.isColumnLoader) {
      const done = this.data?.loadKey(this.tile, { chunk, slot }, at)
      yield machine.load(this.tile, operands.keyChunk(at, this.ix, chunk), 'load of K')
      done?.()
      const transposed = this.data?.transposeKey(this.tile, { chunk, slot })
      yield this.local('transposition of K', transpose)
      transposed?.()
    }
    yield* this.multicastColumn(key, 'multicast of K', { kind: 'key', slot })
  }

  *bringValue(at: BlockPosition, chunk: number): Program {
    const slot = this.valuesBrought++ % SLOTS
    if (this.isColumnLoader) {
      const { machine, operands } = this.kernel
      const done = this.data?.loadValue(this.tile, { chunk, slot }, at)
      yield machine.load(this.tile, operands.valueChunk(at, this.ix, chunk), 'load of V')
      done?.()
    }
    yield* this.multicastColumn(valueCosts(this, chunk).value, 'multicast of V', {
      kind: 'value',
      slot,
    })
  }

  *scores({ set }: LatentStep, chunk: number): Program {
    const slot = this.keysUsed++ % SLOTS
    const query = this.kernel.keepsWholeQuery ? chunk : slot
    yield this.launch()
    const done = this.data?.scores(this.tile, set, chunk, query, slot)
    yield this.matrix('Q · Kᵀ of a chunk', keyCosts(this, chunk).matrix)
    done?.()
  }

  *output({ set }: LatentStep, chunk: number): Program {
    const slot = this.valuesUsed++ % SLOTS
    yield this.launch()
    const done = this.data?.multiplyValues(this.tile, set, { chunk, slot })
    yield this.matrix('P · V of a chunk', valueCosts(this, chunk).matrix)
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
    yield* this.vector('rescaling of a chunk of O', valueCosts(this, chunk).rescale, done)
  }

  *divide({ set }: LatentStep, chunk: number): Program {
    const done = this.data?.divide(this.tile, set, chunk)
    yield* this.vector('division of a chunk of O', valueCosts(this, chunk).divide, done)
  }

  /** Reduces a state vector over the row, gives the result to all of it, and updates the state. */
  *shareState({ set, columnBlock }: LatentStep, which: 'maximum' | 'sum'): Program {
    const name = which === 'maximum' ? 'the row maxima' : 'the row sums'
    const { stateVector, softmax } = this.costs.slice
    const buffer = { kind: which, set } as const
    if (this.sharesRow) {
      yield* this.barrier()
      const component = which === 'maximum' ? 'max-reduction' : 'sum-reduction'
      yield* this.reduceRow(stateVector, `reduction of ${name}`, component, buffer)
      yield* this.barrier()
      yield* this.multicastRow(stateVector, `multicast of ${name}`, buffer)
      yield* this.barrier()
    }
    const done = this.data?.carry(this.tile, set, which, columnBlock === 0)
    yield* this.vector(`update of ${name}`, softmax.stateUpdate, done)
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

  /** Sums a chunk of O over the row, stores it and makes room for the next. */
  *finishChunk(at: Pick<LatentStep, 'set' | 'rowBlock'>, chunk: number): Program {
    if (this.sharesRow) {
      const buffer = { kind: 'output', set: at.set, chunk } as const
      const { output } = valueCosts(this, chunk)
      yield* this.reduceRow(output, 'reduction of O', 'sum-reduction', buffer)
      yield* this.barrier()
    }
    yield* this.storeChunk(at, chunk)
  }

  *storeChunk({ set, rowBlock }: Pick<LatentStep, 'set' | 'rowBlock'>, chunk: number): Program {
    const { machine, operands, isFlash } = this.kernel
    const stores = isFlash ? this.ix === 0 : this.isRowLoader
    if (stores) {
      const done = this.data?.store(this.tile, set, chunk, rowBlock)
      yield machine.store(this.tile, operands.outputChunk(rowBlock, this.iy, chunk), 'store of O')
      done?.()
    }
    const cleared = this.data?.clear(this.tile, { kind: 'output', set, chunk })
    yield this.local('clearing of O', valueCosts(this, chunk).clear)
    cleared?.()
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
  private local(name: string, cycles: number): number {
    return this.kernel.machine.compute(this.tile, 'dma', 'other', name, cycles)
  }

  private *multicastRow(size: number, name: string, buffer: LatentBuffer): Program {
    if (!this.sharesRow) return
    yield* this.kernel.collectives.multicast(this.rowTask(size, name), this.effects(buffer))
  }

  private *multicastColumn(size: number, name: string, buffer: LatentBuffer): Program {
    if (!this.sharesColumn) return
    const { group, ix } = this
    const root = group.columnLoader(ix)
    yield* this.kernel.collectives.multicast(
      { ...this.rowTask(size, name), root, line: group.column(ix) },
      this.effects(buffer),
    )
  }

  private *reduceRow(
    size: number,
    name: string,
    component: 'max-reduction' | 'sum-reduction',
    buffer: LatentBuffer,
  ): Program {
    const task = this.rowTask(size, name)
    yield* this.kernel.collectives.reduce(task, component, this.effects(buffer))
  }

  /** What collectives do to a buffer. */
  private effects(buffer: LatentBuffer): LineEffects | undefined {
    const { data } = this
    if (data === undefined) return undefined
    return {
      copy: (from, to) => data.copy(from, to, buffer),
      combine: (into, from) => data.combine(into, from, buffer),
    }
  }

  private rowTask(size: number, name: string) {
    const { group, iy, tile, costs } = this
    return {
      group,
      tile,
      root: group.rowLoader(iy),
      line: group.row(iy),
      size,
      elementBytes: costs.slice.element,
      name,
    }
  }
}

function keyCosts({ costs }: LatentTile, chunk: number): KeyChunkCosts {
  const key = costs.keys[chunk]
  if (key === undefined) throw new RangeError(`no chunk ${String(chunk)} of the scores`)
  return key
}

function valueCosts({ costs }: LatentTile, chunk: number): ValueChunkCosts {
  const value = costs.values[chunk]
  if (value === undefined) throw new RangeError(`no chunk ${String(chunk)} of the output`)
  return value
}
