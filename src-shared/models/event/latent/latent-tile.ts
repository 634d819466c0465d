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
import type { BlockPosition } from '#shared/models/event/attention/attention-data.ts'
import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'
import { LatentOperands } from '#shared/models/event/latent/latent-operands.ts'
import { lineCollectives, type LineCollectives } from '#shared/models/event/line-collectives.ts'
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

  constructor(dataflow: Dataflow, shape: KernelShape, machine: TileMachine) {
    this.machine = machine
    this.shape = shape
    this.costs = latentCosts(shape, machine.chip)
    this.isFlash = isFlashMla(dataflow)
    this.operands = new LatentOperands(shape, machine.chip, this.isFlash)
    this.collectives = lineCollectives(dataflow, machine)
    this.keepsWholeQuery = keepsWholeQuery(dataflow)
  }
}

/** The operations of one tile in absorbed MLA, each with its time. */
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

  /** One operation of the matrix engine, and what its launch costs. */
  *matrix(name: string, cycles: number): Program {
    const { launch, sync } = this.costs.slice
    yield this.after(launch + 2 * sync)
    const busy = cycles + L1_CONTENTION_PER_PHASE_CYCLES
    yield this.kernel.machine.compute(this.tile, 'matrix', 'matrix', name, busy)
  }

  *vector(name: string, cycles: number): Program {
    yield this.kernel.machine.compute(this.tile, 'vector', 'vector', name, cycles)
  }

  /** A copy or fill inside L1, by the DMA. */
  *local(name: string, cycles: number): Program {
    yield this.kernel.machine.compute(this.tile, 'dma', 'other', name, cycles)
  }

  /** All of Q, which stays in L1 for all column blocks of a row block. */
  *loadWholeQuery(rowBlock: RowBlock): Program {
    const { machine, operands } = this.kernel
    const parts = operands.wholeQuery(rowBlock, this.iy)
    yield machine.simulator.all(parts.map(part => machine.load(this.tile, part, 'load of Q')))
  }

  /** What a chunk of the scores needs: Q along the row of the group, K along its column. */
  *bringKey(at: BlockPosition, chunk: number): Program {
    const { query, key, transpose } = keyCosts(this, chunk)
    if (!this.kernel.keepsWholeQuery) {
      if (this.isRowLoader) yield* this.loadQuery(at.rowBlock, chunk)
      yield* this.multicastRow(query, 'multicast of Q')
    }
    if (this.isColumnLoader) {
      const { machine, operands } = this.kernel
      yield machine.load(this.tile, operands.keyChunk(at, this.ix, chunk), 'load of K')
      yield* this.local('transposition of K', transpose)
    }
    yield* this.multicastColumn(key, 'multicast of K')
  }

  *bringValue(at: BlockPosition, chunk: number): Program {
    if (this.isColumnLoader) {
      const { machine, operands } = this.kernel
      yield machine.load(this.tile, operands.valueChunk(at, this.ix, chunk), 'load of V')
    }
    yield* this.multicastColumn(valueCosts(this, chunk).value, 'multicast of V')
  }

  *scores(chunk: number): Program {
    yield* this.matrix('Q · Kᵀ of a chunk', keyCosts(this, chunk).matrix)
  }

  *output(chunk: number): Program {
    yield* this.matrix('P · V of a chunk', valueCosts(this, chunk).matrix)
  }

  *rescale(chunk: number): Program {
    yield* this.vector('rescaling of a chunk of O', valueCosts(this, chunk).rescale)
  }

  *divide(chunk: number): Program {
    yield* this.vector('division of a chunk of O', valueCosts(this, chunk).divide)
  }

  /** Reduces a state vector over the row, gives the result to all of it, and updates the state. */
  *shareState(which: 'maxima' | 'sums'): Program {
    const name = `the row ${which}`
    const { stateVector } = this.costs.slice
    if (this.sharesRow) {
      yield* this.barrier()
      const component = which === 'maxima' ? 'max-reduction' : 'sum-reduction'
      yield* this.reduceRow(stateVector, `reduction of ${name}`, component)
      yield* this.barrier()
      yield* this.multicastRow(stateVector, `multicast of ${name}`)
      yield* this.barrier()
    }
    yield* this.vector(`update of ${name}`, this.costs.slice.softmax.stateUpdate)
  }

  /** Sums a chunk of O over the row, stores it and makes room for the next. */
  *finishChunk(rowBlock: RowBlock, chunk: number): Program {
    if (this.sharesRow) {
      yield* this.reduceRow(valueCosts(this, chunk).output, 'reduction of O', 'sum-reduction')
      yield* this.barrier()
    }
    yield* this.storeChunk(rowBlock, chunk)
  }

  *storeChunk(rowBlock: RowBlock, chunk: number): Program {
    const { machine, operands, isFlash } = this.kernel
    const stores = isFlash ? this.ix === 0 : this.isRowLoader
    if (stores) {
      yield machine.store(this.tile, operands.outputChunk(rowBlock, this.iy, chunk), 'store of O')
    }
    yield* this.local('clearing of O', valueCosts(this, chunk).clear)
  }

  private *loadQuery(rowBlock: RowBlock, chunk: number): Program {
    const { machine, operands } = this.kernel
    yield machine.load(this.tile, operands.queryChunk(rowBlock, this.iy, chunk), 'load of Q')
  }

  private *multicastRow(size: number, name: string): Program {
    if (!this.sharesRow) return
    yield* this.kernel.collectives.multicast(this.rowTask(size, name))
  }

  private *multicastColumn(size: number, name: string): Program {
    if (!this.sharesColumn) return
    const { group, ix } = this
    const root = group.columnLoader(ix)
    yield* this.kernel.collectives.multicast({
      ...this.rowTask(size, name),
      root,
      line: group.column(ix),
    })
  }

  private *reduceRow(
    size: number,
    name: string,
    component: 'max-reduction' | 'sum-reduction',
  ): Program {
    yield* this.kernel.collectives.reduce(this.rowTask(size, name), component)
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
