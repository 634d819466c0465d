import type { BlockPosition } from '#shared/models/event/attention/attention-data.ts'
import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'
import type { LatentBuffer } from '#shared/models/event/latent/latent-data.ts'
import type { LatentKernelPrograms } from '#shared/models/event/latent/latent-kernel.ts'
import {
  LatentOperations,
  SLOTS,
  type LatentStep,
} from '#shared/models/event/latent/latent-operations.ts'
import type { LineEffects } from '#shared/models/event/line-collectives.ts'
import type { Program } from '#shared/models/event/simulator.ts'
import type { TileGroup } from '#shared/models/event/tile-group.ts'

/**
 * One tile of a group in absorbed MLA: what it does by itself, with memory and with the others. Chunks
 * are used in the order in which they are brought, so that each knows its slot by counting.
 */
export class LatentTile extends LatentOperations {
  readonly group: TileGroup
  readonly ix: number
  readonly isRowLoader: boolean
  readonly isColumnLoader: boolean
  readonly sharesRow: boolean
  readonly sharesColumn: boolean
  private readonly iy: number
  private keysBrought = 0
  private valuesBrought = 0
  private readonly onBlock: (opensRowBlock: boolean, blocks: number) => void

  /** @param onBlock told at the end of each column block, or of several at once */
  constructor(
    kernel: LatentKernelPrograms,
    group: TileGroup,
    ix: number,
    iy: number,
    onBlock: (opensRowBlock: boolean, blocks: number) => void,
  ) {
    super(kernel, group.tile(ix, iy))
    this.group = group
    this.ix = ix
    this.iy = iy
    this.onBlock = onBlock
    this.isRowLoader = kernel.isFlash || group.rowLoader(iy) === this.tile
    this.isColumnLoader = kernel.isFlash || group.columnLoader(ix) === this.tile
    this.sharesRow = !kernel.isFlash && group.area.columns > 1
    this.sharesColumn = !kernel.isFlash && group.area.rows > 1
  }

  get isLoader(): boolean {
    return this.isRowLoader || this.isColumnLoader
  }

  /** Says that a column block is done; of interleaved sequences, one of each. */
  finishBlock(at: BlockPosition, blocks = 1): void {
    this.onBlock(at.columnBlock === 0, blocks)
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
    const { query, key, transpose } = this.kernel.keyCosts(chunk)
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
    yield* this.multicastColumn(this.kernel.valueCosts(chunk).value, 'multicast of V', {
      kind: 'value',
      slot,
    })
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

  /** Sums a chunk of O over the row, stores it and makes room for the next. */
  *finishChunk(at: Pick<LatentStep, 'set' | 'rowBlock'>, chunk: number): Program {
    if (this.sharesRow) {
      const buffer = { kind: 'output', set: at.set, chunk } as const
      const { output } = this.kernel.valueCosts(chunk)
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
    yield this.local('clearing of O', this.kernel.valueCosts(chunk).clear)
    cleared?.()
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
