import {
  AttentionOperations,
  type AttentionKernelPrograms,
} from '#shared/models/event/attention/attention-operations.ts'
import type {
  BlockPosition,
  Buffer,
  BufferSet,
} from '#shared/models/event/attention/attention-data.ts'
import type { LineEffects, LineTask } from '#shared/models/event/line-collectives.ts'
import type { Program, Signal } from '#shared/models/event/simulator.ts'
import type { TileGroup } from '#shared/models/event/tile-group.ts'

/** One tile of a group in an attention kernel: what it does by itself and with the others. */
export class AttentionTile extends AttentionOperations {
  readonly group: TileGroup
  readonly isRowLoader: boolean
  readonly isColumnLoader: boolean
  readonly sharesRow: boolean
  readonly sharesColumn: boolean
  private readonly onBlock: (opensRowBlock: boolean) => void

  /** @param onBlock told at the end of each column block */
  constructor(
    kernel: AttentionKernelPrograms,
    group: TileGroup,
    ix: number,
    iy: number,
    onBlock: (opensRowBlock: boolean) => void,
  ) {
    super(kernel, group.tile(ix, iy), ix, iy)
    this.onBlock = onBlock
    this.group = group
    this.isRowLoader = group.rowLoader(iy) === this.tile
    this.isColumnLoader = group.columnLoader(ix) === this.tile
    this.sharesRow = group.area.columns > 1
    this.sharesColumn = group.area.rows > 1
  }

  get isLoader(): boolean {
    return this.isRowLoader || this.isColumnLoader
  }

  /** Says that a column block is done. */
  finishBlock(at: BlockPosition): void {
    this.onBlock(at.columnBlock === 0)
  }

  *multicastQuery(set: BufferSet): Program {
    if (!this.sharesRow) return
    yield* this.rowMulticast(this.costs.query, 'multicast of Q', set, ['query'])
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
      this.effects(set, buffers),
    )
  }

  /** Reduces a state vector over the row and gives the result to all of it. */
  *shareState(set: BufferSet, buffer: 'maximum' | 'sum'): Program {
    if (!this.sharesRow) return
    const name = buffer === 'maximum' ? 'the row maxima' : 'the row sums'
    yield this.barrier()
    yield* this.rowReduction(set, buffer, this.costs.stateVector, `reduction of ${name}`)
    yield this.barrier()
    yield* this.rowMulticast(this.costs.stateVector, `multicast of ${name}`, set, [buffer])
    yield this.barrier()
  }

  *reduceOutput(set: BufferSet): Program {
    if (!this.sharesRow) return
    yield* this.rowReduction(set, 'output', this.costs.outputRows, 'reduction of O')
  }

  /** Rescaling of O where the kernel takes the head dimension for the rows. */
  get swappedRescale(): number {
    return this.kernel.swappedRescale
  }

  barrier(): Signal {
    return this.group.barrier.arrive()
  }

  private *rowMulticast(
    size: number,
    name: string,
    set: BufferSet,
    buffers: readonly Buffer[],
  ): Program {
    yield* this.kernel.collectives.multicast(this.rowTask(size, name), this.effects(set, buffers))
  }

  private *rowReduction(
    set: BufferSet,
    buffer: 'maximum' | 'sum' | 'output',
    size: number,
    name: string,
  ): Program {
    yield* this.kernel.collectives.reduce(
      this.rowTask(size, name),
      buffer === 'maximum' ? 'max-reduction' : 'sum-reduction',
      this.effects(set, [buffer], buffer),
    )
  }

  private rowTask(size: number, name: string): LineTask {
    const { group, iy, tile } = this
    return {
      group,
      tile,
      root: group.rowLoader(iy),
      line: group.row(iy),
      size,
      elementBytes: this.costs.element,
      name,
    }
  }

  private effects(
    set: BufferSet,
    copied: readonly Buffer[],
    combined: 'maximum' | 'sum' | 'output' = 'output',
  ): LineEffects | undefined {
    const { data } = this
    if (data === undefined) return undefined
    return {
      copy: (from, to) => data.copy(from, to, set, copied),
      combine: (into, from) => data.combine(into, from, set, combined),
    }
  }
}
