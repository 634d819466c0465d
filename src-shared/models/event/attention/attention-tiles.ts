import { isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { sliceCosts, type TileCosts } from '#shared/models/attention/tile-costs.ts'
import type {
  AttentionData,
  BlockPosition,
  BufferSet,
} from '#shared/models/event/attention/attention-data.ts'
import { AttentionOperands } from '#shared/models/event/attention/attention-operands.ts'
import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'
import { softmaxSteps } from '#shared/models/engines/vector-engine.ts'
import {
  lineCollectives,
  type LineCollectives,
  type LineEffects,
} from '#shared/models/event/line-collectives.ts'
import type { Program, Signal } from '#shared/models/event/simulator.ts'
import type { TileGroup } from '#shared/models/event/tile-group.ts'
import type { TileMachine } from '#shared/models/event/tile-machine.ts'
import type { BreakdownComponent } from '#shared/results/attention-result.ts'

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
    this.swappedRescale = softmaxSteps(workload.headDim, sliceCols, sliceRows, {
      engine: machine.chip.vectorEngine,
      elementBytes: this.costs.element,
      partialRowsSkipped: machine.chip.artefacts.partialVectorRowsSkipped,
    }).rescale
  }
}

/** The operations of one tile in an attention kernel, each with its time and its effect. */
export class AttentionTile {
  readonly tile: number
  readonly group: TileGroup
  readonly ix: number
  readonly iy: number
  readonly isRowLoader: boolean
  readonly isColumnLoader: boolean
  readonly sharesRow: boolean
  readonly sharesColumn: boolean
  readonly kernel: AttentionKernelPrograms
  private readonly onBlock: (opensRowBlock: boolean) => void

  /** @param onBlock told at the end of each column block */
  constructor(
    kernel: AttentionKernelPrograms,
    group: TileGroup,
    ix: number,
    iy: number,
    onBlock: (opensRowBlock: boolean) => void,
  ) {
    this.onBlock = onBlock
    this.kernel = kernel
    this.group = group
    this.ix = ix
    this.iy = iy
    this.tile = group.tile(ix, iy)
    this.isRowLoader = group.rowLoader(iy) === this.tile
    this.isColumnLoader = group.columnLoader(ix) === this.tile
    this.sharesRow = group.area.columns > 1
    this.sharesColumn = group.area.rows > 1
  }

  get isLoader(): boolean {
    return this.isRowLoader || this.isColumnLoader
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

  /** Says that a column block is done. */
  finishBlock(at: BlockPosition): void {
    this.onBlock(at.columnBlock === 0)
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
    yield machine.load(this.tile, operands.query(rowBlock, this.iy), 'load of Q')
    this.data?.load(this.tile, set, 'query', { rowBlock, columnBlock: 0 })
  }

  *loadKey(set: BufferSet, at: BlockPosition): Program {
    const { machine, operands } = this.kernel
    yield machine.load(this.tile, operands.key(at, this.ix), 'load of K')
    this.data?.load(this.tile, set, 'key', at)
  }

  *loadValue(set: BufferSet, at: BlockPosition): Program {
    const { machine, operands } = this.kernel
    yield machine.load(this.tile, operands.value(at, this.ix), 'load of V')
    this.data?.load(this.tile, set, 'value', at)
  }

  /** K and V queued one behind the other, so that their latencies overlap. */
  *loadBoth(set: BufferSet, at: BlockPosition): Program {
    const { simulator } = this.kernel.machine
    yield simulator.all([
      simulator.spawn(this.loadValue(set, at)),
      simulator.spawn(this.loadKey(set, at)),
    ])
  }

  /** The start of a row block of FlashAttention. */
  *loadQueryAndClear(rowBlock: RowBlock): Program {
    if (rowBlock.columnBlocks > 0) yield* this.loadQuery(0, rowBlock)
    yield this.local('clearing of O', this.costs.clearOutput)
    this.data?.clearOutput(this.tile, 0)
  }

  /** The end of a row block of FlashAttention. */
  *divideAndStore(rowBlock: RowBlock): Program {
    if (rowBlock.columnBlocks > 0) yield this.vector('division of O', this.costs.softmax.divide)
    this.data?.divide(this.tile, 0)
    yield* this.storeOutput(0, rowBlock)
  }

  /** Row maxima, exponentials and row sums of one tile that shares its rows with nobody. */
  *softmax(set: BufferSet): Program {
    const { rowMax, exp, rowSum } = this.costs.softmax
    yield this.vector('row maxima', rowMax)
    this.data?.rowMaximum(this.tile, set)
    yield this.vector('exponentials and row sums', exp + rowSum)
    this.data?.exponentials(this.tile, set)
  }

  *transposeKey(): Program {
    yield this.local('transposition of K', this.costs.keyTranspose)
  }

  *storeOutput(set: BufferSet, rowBlock: RowBlock): Program {
    const { machine, operands } = this.kernel
    yield machine.store(this.tile, operands.output(rowBlock, this.iy), 'store of O')
    this.data?.store(this.tile, set, rowBlock)
  }

  *multicastQuery(set: BufferSet): Program {
    if (!this.sharesRow) return
    yield* this.rowMulticast(this.costs.query, 'multicast of Q', this.copies(set, ['query']))
  }

  /** Along the column of the group: K or V, or both in one transfer. */
  *multicastColumn(set: BufferSet, buffers: readonly ('key' | 'value')[]): Program {
    if (!this.sharesColumn) return
    const { group, ix, kernel } = this
    const names = buffers.map(buffer => (buffer === 'key' ? 'K' : 'V')).join(' and ')
    yield* kernel.collectives.multicast(
      {
        group,
        tile: this.tile,
        root: group.columnLoader(ix),
        line: group.column(ix),
        size: buffers.reduce((sum, buffer) => sum + this.costs[buffer], 0),
        elementBytes: this.costs.element,
        name: `multicast of ${names}`,
      },
      this.copies(set, buffers),
    )
  }

  /** Reduces a state vector over the row and gives the result to all of it. */
  *shareState(set: BufferSet, buffer: 'maximum' | 'sum'): Program {
    if (!this.sharesRow) return
    const component = buffer === 'maximum' ? 'max-reduction' : 'sum-reduction'
    const name = buffer === 'maximum' ? 'the row maxima' : 'the row sums'
    yield this.barrier()
    yield* this.rowReduction(set, buffer, this.costs.stateVector, `reduction of ${name}`, component)
    yield this.barrier()
    yield* this.rowMulticast(
      this.costs.stateVector,
      `multicast of ${name}`,
      this.copies(set, [buffer]),
    )
    yield this.barrier()
  }

  *reduceOutput(set: BufferSet): Program {
    if (!this.sharesRow) return
    yield* this.rowReduction(
      set,
      'output',
      this.costs.outputRows,
      'reduction of O',
      'sum-reduction',
    )
  }

  /** Rescaling of O where the kernel takes the head dimension for the rows. */
  get swappedRescale(): number {
    return this.kernel.swappedRescale
  }

  barrier(): Signal {
    return this.group.barrier.arrive()
  }

  private *rowMulticast(size: number, name: string, effects: LineEffects | undefined): Program {
    const { group, iy, kernel } = this
    yield* kernel.collectives.multicast(
      {
        group,
        tile: this.tile,
        root: group.rowLoader(iy),
        line: group.row(iy),
        size,
        elementBytes: this.costs.element,
        name,
      },
      effects,
    )
  }

  private *rowReduction(
    set: BufferSet,
    buffer: 'maximum' | 'sum' | 'output',
    size: number,
    name: string,
    component: BreakdownComponent & ('max-reduction' | 'sum-reduction'),
  ): Program {
    const { group, iy, kernel, data } = this
    yield* kernel.collectives.reduce(
      {
        group,
        tile: this.tile,
        root: group.rowLoader(iy),
        line: group.row(iy),
        size,
        elementBytes: this.costs.element,
        name,
      },
      component,
      data === undefined
        ? undefined
        : {
            copy: () => undefined,
            combine: (into, from) => {
              data.combine(into, from, set, buffer)
            },
          },
    )
  }

  private copies(
    set: BufferSet,
    buffers: readonly Parameters<AttentionData['copy']>[3][],
  ): LineEffects | undefined {
    const { data } = this
    if (data === undefined) return undefined
    return {
      copy: (from, to) => {
        for (const buffer of buffers) data.copy(from, to, set, buffer)
      },
      combine: () => undefined,
    }
  }
}
