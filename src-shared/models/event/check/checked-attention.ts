import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import type {
  AttentionData,
  BlockPosition,
  Buffer,
  BufferSet,
  CarriedState,
  Completion,
} from '#shared/models/event/attention/attention-data.ts'
import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'
import type { Arithmetic } from '#shared/models/event/check/arithmetic.ts'
import type { AttentionTensors } from '#shared/models/event/check/attention-tensors.ts'
import {
  addProduct,
  addTo,
  divideRows,
  exponentiate,
  maskScores,
  maximumWith,
  rowMaxima,
  transposed,
  type Block,
} from '#shared/models/event/check/block-arithmetic.ts'
import { firstState, nextState } from '#shared/models/event/check/carried-state.ts'
import { CheckedOperations } from '#shared/models/event/check/checked-operations.ts'
import { JobRows } from '#shared/models/event/check/job-rows.ts'
import { createTileBuffers, type TileBuffers } from '#shared/models/event/check/tile-buffers.ts'
import { headDimensions, type HeadDimensions } from '#shared/workload/attention.ts'
import { roundTo } from '#shared/models/event/check/number-format.ts'

/**
 * What lies in a slice beyond the rows that a load has brought: anything finite, since L1 is never
 * empty. A mask that is too wide lets it into the result.
 */
const STALE = 1

export interface CheckedKernel {
  readonly shape: KernelShape
  readonly tensors: AttentionTensors
  readonly arithmetic: Arithmetic
  readonly tilesAlongX: number
  /** K lies as Kᵀ in memory, so that a transposition by the program would undo it. */
  readonly keysLieTransposed: boolean
}

/** Executes the programs of an attention kernel on real numbers. */
export class CheckedAttention implements AttentionData {
  readonly operations = new CheckedOperations()
  /** O as it was stored, in the layout of the tensors; NaN where nothing was. */
  readonly output: Float64Array
  /** How often each row of O was stored. */
  readonly stores: Uint16Array
  private readonly kernel: CheckedKernel
  private readonly rows: JobRows
  private readonly dimensions: HeadDimensions
  private readonly buffers = new Map<string, TileBuffers>()

  constructor(kernel: CheckedKernel) {
    this.kernel = kernel
    this.rows = new JobRows(kernel.shape.workload)
    this.dimensions = headDimensions(kernel.shape.workload)
    const { score, value } = this.dimensions
    const rows = kernel.tensors.query.length / score
    this.output = new Float64Array(rows * value).fill(NaN)
    this.stores = new Uint16Array(rows)
  }

  clearOutput(tile: number, set: BufferSet): Completion {
    const { output } = this.of(tile, set)
    return this.begin(tile, 'the clearing of O', { writes: [output] }, ([block]) => block?.fill(0))
  }

  clearScores(tile: number, set: BufferSet): Completion {
    const { scores } = this.of(tile, set)
    return this.begin(tile, 'the clearing of the scores', { writes: [scores] }, ([block]) =>
      block?.fill(0),
    )
  }

  load(
    tile: number,
    set: BufferSet,
    buffer: 'query' | 'key' | 'value',
    { rowBlock, columnBlock }: BlockPosition,
  ): Completion {
    const { shape, tensors, keysLieTransposed } = this.kernel
    const { sliceRows, sliceCols, groupX } = shape
    const target = this.of(tile, set)[buffer]
    return this.begin(tile, `the load of ${target.name}`, { writes: [target] }, ([block]) => {
      if (block === undefined) return
      block.fill(STALE)
      if (buffer === 'query') {
        const first = rowBlock.firstRow + this.place(tile).iy * sliceRows
        this.rows.loadQuery(block, tensors, rowBlock.job, first)
        return
      }
      const first = (columnBlock * groupX + this.place(tile).ix) * sliceCols
      this.rows.loadColumns(block, tensors, buffer, rowBlock.job, first)
      if (buffer === 'key' && keysLieTransposed) {
        block.set(transposed(block, sliceCols, this.dimensions.score))
      }
    })
  }

  transposeKey(tile: number, set: BufferSet): Completion {
    const { shape, keysLieTransposed } = this.kernel
    if (keysLieTransposed) return () => undefined
    const { key } = this.of(tile, set)
    return this.begin(tile, 'the transposition of K', { updates: [key] }, ([block]) =>
      block?.set(transposed(block, shape.sliceCols, this.dimensions.score)),
    )
  }

  copy(from: number, to: number, set: BufferSet, buffers: readonly Buffer[]): Completion {
    const sources = buffers.map(buffer => this.of(from, set)[buffer])
    const targets = buffers.map(buffer => this.of(to, set)[buffer])
    const name = `the multicast of ${sources.map(source => source.name).join(' and ')}`
    return this.begin(to, name, { reads: sources, writes: targets }, blocks => {
      blocks.forEach((block, index) => {
        block.set(sources[index]?.values ?? [])
      })
    })
  }

  combine(
    into: number,
    from: readonly number[],
    set: BufferSet,
    buffer: 'maximum' | 'sum' | 'output',
  ): Completion {
    const sources = from.map(tile => this.of(tile, set)[buffer])
    const target = this.of(into, set)[buffer]
    const { working } = this.kernel.arithmetic
    const name = `the reduction of ${target.name}`
    return this.begin(into, name, { reads: sources, updates: [target] }, ([block]) => {
      if (block === undefined) return
      for (const { values } of sources) {
        if (buffer === 'maximum') maximumWith(block, values)
        else addTo(block, values, working)
      }
    })
  }

  scores(tile: number, set: BufferSet): Completion {
    const { shape, arithmetic } = this.kernel
    const { query, key, scores } = this.of(tile, set)
    const size = {
      rows: shape.sliceRows,
      inner: this.dimensions.score,
      columns: shape.sliceCols,
    }
    return this.begin(tile, 'Q · Kᵀ', { reads: [query, key], updates: [scores] }, ([block]) => {
      if (block) addProduct(block, query.values, key.values, size, arithmetic.working)
    })
  }

  rowMaximum(tile: number, set: BufferSet, { rowBlock, columnBlock }: BlockPosition): Completion {
    const { sliceRows, sliceCols, groupX } = this.kernel.shape
    const { scores, maximum, carriedMaximum } = this.of(tile, set)
    const { ix, iy } = this.place(tile)
    const firstRow = rowBlock.firstRow + iy * sliceRows
    const firstColumn = (columnBlock * groupX + ix) * sliceCols
    const reads = columnBlock === 0 ? [] : [carriedMaximum]
    const touched = { reads, updates: [scores], writes: [maximum] }
    return this.begin(tile, 'the row maxima', touched, ([block, maxima]) => {
      if (block === undefined || maxima === undefined) return
      maskScores(block, sliceRows, sliceCols, row => this.rows.seen(firstRow + row) - firstColumn)
      rowMaxima(maxima, block, reads[0]?.values)
    })
  }

  exponentials(tile: number, set: BufferSet): Completion {
    const { scores, maximum, sum } = this.of(tile, set)
    const touched = { reads: [maximum], updates: [scores], writes: [sum] }
    return this.begin(tile, 'the exponentials', touched, ([block, sums]) => {
      if (block === undefined || sums === undefined) return
      exponentiate(block, maximum.values, sums, this.scale, this.kernel.arithmetic)
    })
  }

  carry(tile: number, set: BufferSet, what: readonly CarriedState[], isFirst: boolean): Completion {
    const buffers = this.of(tile, set)
    const { output, maximum, sum } = buffers
    const reads = [
      ...(what.includes('maximum') ? [maximum] : []),
      ...(what.includes('sum') ? [sum] : []),
      // Nobody may use O all the while, though it is rescaled last.
      ...(what.includes('output') && !isFirst ? [output] : []),
    ]
    const format = this.kernel.arithmetic.working
    return this.begin(tile, `the update of ${what.join(', ')}`, { reads }, () => {
      for (const state of what) {
        const operation = isFirst
          ? firstState(buffers, state)
          : nextState(buffers, state, this.scale, format)
        if (operation !== undefined) this.operations.begin({ tile, ...operation })()
      }
    })
  }

  copyScores(tile: number, set: BufferSet): Completion {
    const { scores, copy } = this.of(tile, set)
    const touched = { reads: [scores], writes: [copy] }
    return this.begin(tile, 'the copy of the exponentials', touched, ([block]) =>
      block?.set(scores.values),
    )
  }

  multiplyValues(tile: number, set: BufferSet, from: 'scores' | 'copy'): Completion {
    const { shape, arithmetic } = this.kernel
    const { output, value, [from]: weights } = this.of(tile, set)
    const size = {
      rows: shape.sliceRows,
      inner: shape.sliceCols,
      columns: this.dimensions.value,
    }
    return this.begin(tile, 'P · V', { reads: [weights, value], updates: [output] }, ([block]) => {
      if (block) addProduct(block, weights.values, value.values, size, arithmetic.working)
    })
  }

  divide(tile: number, set: BufferSet): Completion {
    const { output, carriedSum } = this.of(tile, set)
    const touched = { reads: [carriedSum], updates: [output] }
    return this.begin(tile, 'the division of O', touched, ([block]) => {
      if (block) divideRows(block, carriedSum.values, this.kernel.arithmetic.working)
    })
  }

  store(tile: number, set: BufferSet, rowBlock: RowBlock): Completion {
    const { shape, arithmetic } = this.kernel
    const { value } = this.dimensions
    const { output } = this.of(tile, set)
    return this.begin(tile, 'the store of O', { reads: [output] }, () => {
      const inBlock = this.place(tile).iy * shape.sliceRows
      const count = Math.min(shape.sliceRows, rowBlock.rows - inBlock)
      for (let row = 0; row < count; row++) {
        const to = this.rows.queryRow(rowBlock.job, rowBlock.firstRow + inBlock + row)
        this.stores[to] = (this.stores[to] ?? 0) + 1
        for (let element = 0; element < value; element++) {
          const stored = output.values[row * value + element] ?? NaN
          this.output[to * value + element] = roundTo(stored, arithmetic.output)
        }
      }
    })
  }

  private get scale(): number {
    return 1 / Math.sqrt(this.dimensions.score)
  }

  /** Groups begin at the south-west corner, one beside the other. */
  private place(tile: number): { readonly ix: number; readonly iy: number } {
    const { shape, tilesAlongX } = this.kernel
    return {
      ix: (tile % tilesAlongX) % shape.groupX,
      iy: Math.floor(tile / tilesAlongX) % shape.groupY,
    }
  }

  private of(tile: number, set: BufferSet): TileBuffers {
    const id = `${String(tile)}.${String(set)}`
    const known = this.buffers.get(id)
    if (known !== undefined) return known
    const created = createTileBuffers(this.kernel.shape)
    this.buffers.set(id, created)
    return created
  }

  private begin(
    tile: number,
    name: string,
    touched: Omit<Parameters<CheckedOperations['begin']>[0], 'name' | 'tile' | 'compute'>,
    compute: (results: readonly Block[]) => void,
  ): Completion {
    return this.operations.begin({ tile, name, ...touched, compute })
  }
}
