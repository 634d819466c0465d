import { isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { sliceCosts, type TileCosts } from '#shared/models/attention/tile-costs.ts'
import { softmaxSteps } from '#shared/models/engines/vector-engine.ts'
import type {
  AttentionData,
  BlockPosition,
  BufferSet,
  CarriedState,
  Completion,
} from '#shared/models/event/attention/attention-data.ts'
import { AttentionOperands } from '#shared/models/event/attention/attention-operands.ts'
import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'
import { lineCollectives, type LineCollectives } from '#shared/models/event/line-collectives.ts'
import type { Program } from '#shared/models/event/simulator.ts'
import { headDimensions } from '#shared/workload/attention.ts'
import type { TileMachine } from '#shared/models/event/tile-machine.ts'

/** What all tiles of a kernel share. */
export class AttentionKernelPrograms {
  readonly machine: TileMachine
  readonly shape: KernelShape
  readonly costs: TileCosts
  readonly operands: AttentionOperands
  readonly collectives: LineCollectives
  readonly data: AttentionData | undefined
  readonly swappedRescale: number

  constructor(
    dataflow: Dataflow,
    shape: KernelShape,
    machine: TileMachine,
    data: AttentionData | undefined,
  ) {
    this.machine = machine
    this.shape = shape
    this.costs = sliceCosts(shape, machine.chip)
    this.operands = new AttentionOperands(shape, machine.chip, isFlash(dataflow))
    this.collectives = lineCollectives(dataflow, machine)
    this.data = data
    const { sliceRows, sliceCols, workload } = shape
    this.swappedRescale = softmaxSteps(headDimensions(workload).value, sliceCols, sliceRows, {
      engine: machine.chip.vectorEngine,
      elementBytes: this.costs.element,
      partialRowsSkipped: machine.chip.artefacts.partialVectorRowsSkipped,
    }).rescale
  }
}

/** What one tile of an attention kernel does by itself: each operation with its time and its effect. */
export class AttentionOperations {
  readonly kernel: AttentionKernelPrograms
  readonly tile: number
  readonly ix: number
  readonly iy: number

  /** @param ix, iy place in the group */
  constructor(kernel: AttentionKernelPrograms, tile: number, ix: number, iy: number) {
    this.kernel = kernel
    this.tile = tile
    this.ix = ix
    this.iy = iy
  }

  get now(): number {
    return this.kernel.machine.now
  }

  get costs(): TileCosts {
    return this.kernel.costs
  }

  get data(): AttentionData | undefined {
    return this.kernel.data
  }

  after(cycles: number): number {
    return this.now + cycles
  }

  matrix(name: string, cycles: number): number {
    return this.kernel.machine.compute(this.tile, 'matrix', 'matrix', name, cycles)
  }

  vector(name: string, cycles: number): number {
    return this.kernel.machine.compute(this.tile, 'vector', 'vector', name, cycles)
  }

  /** A copy or fill inside L1, by the DMA. */
  local(name: string, cycles: number): number {
    return this.kernel.machine.compute(this.tile, 'dma', 'other', name, cycles)
  }

  *loadQuery(set: BufferSet, rowBlock: RowBlock): Program {
    const { machine, operands } = this.kernel
    const done = this.data?.load(this.tile, set, 'query', { rowBlock, columnBlock: 0 })
    yield machine.load(this.tile, operands.query(rowBlock, this.iy), 'load of Q')
    done?.()
  }

  *loadKey(set: BufferSet, at: BlockPosition): Program {
    const { machine, operands } = this.kernel
    const done = this.data?.load(this.tile, set, 'key', at)
    yield machine.load(this.tile, operands.key(at, this.ix), 'load of K')
    done?.()
  }

  *loadValue(set: BufferSet, at: BlockPosition): Program {
    const { machine, operands } = this.kernel
    const done = this.data?.load(this.tile, set, 'value', at)
    yield machine.load(this.tile, operands.value(at, this.ix), 'load of V')
    done?.()
  }

  /** K and V queued one behind the other, so that their latencies overlap. */
  *loadBoth(set: BufferSet, at: BlockPosition): Program {
    const { simulator } = this.kernel.machine
    yield simulator.all([
      simulator.spawn(this.loadValue(set, at)),
      simulator.spawn(this.loadKey(set, at)),
    ])
  }

  *transposeKey(set: BufferSet): Program {
    const done = this.data?.transposeKey(this.tile, set)
    yield this.local('transposition of K', this.costs.keyTranspose)
    done?.()
  }

  /** @param cycles more than the copy itself where the kernel does something besides */
  *clearOutput(set: BufferSet, cycles: number = this.costs.clearOutput): Program {
    const done = this.data?.clearOutput(this.tile, set)
    yield this.local('clearing of O', cycles)
    done?.()
  }

  *clearScores(set: BufferSet): Program {
    const done = this.data?.clearScores(this.tile, set)
    yield this.local('clearing of the scores', this.costs.clearScores)
    done?.()
  }

  *copyScores(set: BufferSet): Program {
    const done = this.data?.copyScores(this.tile, set)
    yield this.local('copy of the scores', this.costs.copyScores)
    done?.()
  }

  /** @param contention cycles that the matrix engine loses to others that use L1 */
  *scores(set: BufferSet, contention = 0): Program {
    const done = this.data?.scores(this.tile, set)
    yield this.matrix('Q · Kᵀ', this.costs.scores + contention)
    done?.()
  }

  /** P · V under way: when the matrix engine will be done, and what to do then. */
  startValues(
    set: BufferSet,
    from: 'scores' | 'copy',
    contention = 0,
  ): { readonly end: number; readonly done: Completion | undefined } {
    const done = this.data?.multiplyValues(this.tile, set, from)
    return { end: this.matrix('P · V', this.costs.output + contention), done }
  }

  *multiplyValues(set: BufferSet, from: 'scores' | 'copy', contention = 0): Program {
    const { end, done } = this.startValues(set, from, contention)
    yield end
    done?.()
  }

  *rowMaximum(set: BufferSet, at: BlockPosition): Program {
    const done = this.data?.rowMaximum(this.tile, set, at)
    yield this.vector('row maxima', this.costs.softmax.rowMax)
    done?.()
  }

  *exponentials(set: BufferSet): Program {
    const { exp, rowSum } = this.costs.softmax
    const done = this.data?.exponentials(this.tile, set)
    yield this.vector('exponentials and row sums', exp + rowSum)
    done?.()
  }

  /** Row maxima, exponentials and row sums of one tile that shares its rows with nobody. */
  *softmax(set: BufferSet, at: BlockPosition): Program {
    yield* this.rowMaximum(set, at)
    yield* this.exponentials(set)
  }

  /** @param cycles of the vector engine, as the kernel does it */
  *carry(
    set: BufferSet,
    at: BlockPosition,
    what: readonly CarriedState[],
    name: string,
    cycles: number,
  ): Program {
    const done = this.data?.carry(this.tile, set, what, at.columnBlock === 0)
    yield this.vector(name, cycles)
    done?.()
  }

  /** Maxima and sums of a first block become the state by themselves: nothing is computed. */
  begin(set: BufferSet): void {
    this.data?.carry(this.tile, set, ['maximum', 'sum'], true)()
  }

  *divide(set: BufferSet): Program {
    const done = this.data?.divide(this.tile, set)
    yield this.vector('division of O', this.costs.softmax.divide)
    done?.()
  }

  *storeOutput(set: BufferSet, rowBlock: RowBlock): Program {
    const { machine, operands } = this.kernel
    const done = this.data?.store(this.tile, set, rowBlock)
    yield machine.store(this.tile, operands.output(rowBlock, this.iy), 'store of O')
    done?.()
  }

  /** The start of a row block of FlashAttention. */
  *loadQueryAndClear(rowBlock: RowBlock): Program {
    if (rowBlock.columnBlocks > 0) yield* this.loadQuery(0, rowBlock)
    yield* this.clearOutput(0)
  }

  /** The end of a row block of FlashAttention. */
  *divideAndStore(rowBlock: RowBlock): Program {
    if (rowBlock.columnBlocks > 0) yield* this.divide(0)
    yield* this.storeOutput(0, rowBlock)
  }
}
