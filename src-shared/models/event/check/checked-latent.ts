import { latentChunks } from '#shared/models/attention/latent-chunks.ts'
import type {
  BlockPosition,
  BufferSet,
  Completion,
} from '#shared/models/event/attention/attention-data.ts'
import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'
import {
  addProduct,
  addTo,
  divideRows,
  exponentiate,
  maskScores,
  maximumWith,
  rowMaxima,
  sumRows,
  type Block,
} from '#shared/models/event/check/block-arithmetic.ts'
import { firstState, nextState } from '#shared/models/event/check/carried-state.ts'
import type { CheckedKernel } from '#shared/models/event/check/checked-attention.ts'
import { CheckedOperations } from '#shared/models/event/check/checked-operations.ts'
import { JobRows } from '#shared/models/event/check/job-rows.ts'
import { LatentBuffers, type SequenceBuffers } from '#shared/models/event/check/latent-buffers.ts'
import { LatentSlices } from '#shared/models/event/check/latent-slices.ts'
import { mergeState } from '#shared/models/event/check/merge-state.ts'
import { roundProbability } from '#shared/models/event/check/arithmetic.ts'
import { roundTo, type NumberFormat } from '#shared/models/event/check/number-format.ts'
import type {
  ChunkInSlot,
  LatentBuffer,
  LatentData,
} from '#shared/models/event/latent/latent-data.ts'
import { headDimensions } from '#shared/workload/attention.ts'

/** Executes the programs of absorbed MLA on real numbers. */
export class CheckedLatent implements LatentData {
  readonly operations = new CheckedOperations()
  /** O as it was stored, in the layout of the tensors; NaN where nothing was. */
  readonly output: Float64Array
  /** How often each row of O was stored completely. */
  readonly stores: Uint16Array
  private readonly kernel: CheckedKernel
  private readonly rows: JobRows
  private readonly slices: LatentSlices
  private readonly buffers = new Map<number, LatentBuffers>()
  private readonly storesOfChunks: Uint16Array[]
  /** Whether the exponentials of a sequence of a tile are normalised, so that O is scaled as they are. */
  private readonly normalised = new Set<string>()

  constructor(kernel: CheckedKernel) {
    const { workload } = kernel.shape
    const { score, value } = headDimensions(workload)
    const rows = kernel.tensors.query.length / score
    this.kernel = kernel
    this.rows = new JobRows(workload)
    this.slices = new LatentSlices(kernel)
    this.output = new Float64Array(rows * value).fill(NaN)
    this.stores = new Uint16Array(rows)
    this.storesOfChunks = latentChunks(workload).latent.map(() => new Uint16Array(rows))
  }

  clear(tile: number, buffer: LatentBuffer): Completion {
    const target = this.of(tile).of(buffer)
    return this.operations.begin({
      tile,
      name: `the clearing of ${target.name}`,
      writes: [target],
      compute: ([block]) => block?.fill(0),
    })
  }

  loadQuery(tile: number, where: ChunkInSlot, rowBlock: RowBlock): Completion {
    return this.load(tile, 'query', where, () => this.slices.query(where.chunk, rowBlock, tile))
  }

  loadKey(tile: number, where: ChunkInSlot, at: BlockPosition): Completion {
    return this.load(tile, 'key', where, () => this.slices.key(where.chunk, at, tile))
  }

  loadValue(tile: number, where: ChunkInSlot, at: BlockPosition): Completion {
    return this.load(tile, 'value', where, () => this.slices.value(where.chunk, at, tile))
  }

  transposeKey(tile: number, { chunk, slot }: ChunkInSlot): Completion {
    if (this.kernel.keysLieTransposed) return () => undefined
    const key = this.of(tile).slot('key', slot)
    return this.operations.begin({
      tile,
      name: `the transposition of ${key.name}`,
      updates: [key],
      compute: ([block]) => block?.set(this.slices.transposed(block, chunk)),
    })
  }

  copy(from: number, to: number, buffer: LatentBuffer): Completion {
    const source = this.of(from).of(buffer)
    const target = this.of(to).of(buffer)
    return this.operations.begin({
      tile: to,
      name: `the multicast of ${source.name}`,
      reads: [source],
      writes: [target],
      compute: ([block]) => block?.set(source.values),
    })
  }

  combine(into: number, from: readonly number[], buffer: LatentBuffer): Completion {
    const sources = from.map(tile => this.of(tile).of(buffer))
    const target = this.of(into).of(buffer)
    const { working } = this.kernel.arithmetic
    return this.operations.begin({
      tile: into,
      name: `the reduction of ${target.name}`,
      reads: sources,
      updates: [target],
      compute: ([block]) => {
        if (block === undefined) return
        for (const { values } of sources) {
          if (buffer.kind === 'maximum') maximumWith(block, values)
          else addTo(block, values, working)
        }
      },
    })
  }

  scores(tile: number, set: BufferSet, chunk: number, query: number, key: number): Completion {
    const { sliceRows, sliceCols } = this.kernel.shape
    const buffers = this.of(tile)
    const [left, right] = [buffers.slot('query', query), buffers.slot('key', key)]
    const size = { rows: sliceRows, inner: this.slices.scoreWidth(chunk), columns: sliceCols }
    return this.operations.begin({
      tile,
      name: `Q · Kᵀ of chunk ${String(chunk)}`,
      reads: [left, right],
      updates: [buffers.sequence(set).scores],
      compute: ([block]) => {
        if (block) addProduct(block, left.values, right.values, size, this.working)
      },
    })
  }

  rowMaximum(tile: number, set: BufferSet, at: BlockPosition): Completion {
    const { sliceRows, sliceCols } = this.kernel.shape
    const { scores, maximum, carriedMaximum } = this.sequence(tile, set)
    const firstRow = this.slices.firstRow(at.rowBlock, tile)
    const firstColumn = this.slices.firstColumn(at, tile)
    const reads = at.columnBlock === 0 ? [] : [carriedMaximum]
    return this.operations.begin({
      tile,
      name: 'the row maxima',
      reads,
      updates: [scores],
      writes: [maximum],
      compute: ([block, maxima]) => {
        if (block === undefined || maxima === undefined) return
        const seen = (row: number) => this.rows.seen(firstRow + row) - firstColumn
        maskScores(block, sliceRows, sliceCols, seen)
        rowMaxima(maxima, block, reads[0]?.values)
      },
    })
  }

  exponentials(tile: number, set: BufferSet): Completion {
    const { scores, maximum } = this.sequence(tile, set)
    return this.operations.begin({
      tile,
      name: 'the exponentials',
      reads: [maximum],
      updates: [scores],
      compute: ([block]) => {
        // The sums are an operation of their own here.
        const sums = new Float64Array(maximum.values.length)
        if (block) exponentiate(block, maximum.values, sums, this.scale, this.kernel.arithmetic)
      },
    })
  }

  rowSums(tile: number, set: BufferSet): Completion {
    const { scores, sum } = this.sequence(tile, set)
    return this.operations.begin({
      tile,
      name: 'the row sums',
      reads: [scores],
      writes: [sum],
      compute: ([sums]) => {
        if (sums) sumRows(sums, scores.values, this.working)
      },
    })
  }

  carry(tile: number, set: BufferSet, what: 'maximum' | 'sum', isFirst: boolean): Completion {
    const sequence = this.sequence(tile, set)
    const { maximum, sum } = sequence
    return this.operations.begin({
      tile,
      name: `the update of the ${what}`,
      reads: [what === 'maximum' ? maximum : sum],
      compute: () => {
        // The output is not touched by these two.
        const state = { ...sequence, output: maximum }
        const update = isFirst
          ? firstState(state, what)
          : nextState(state, what, this.scale, this.working)
        if (update !== undefined) this.operations.begin({ tile, ...update })()
      },
    })
  }

  normalise(tile: number, set: BufferSet): Completion {
    const { scores, carriedSum } = this.sequence(tile, set)
    const { arithmetic, shape } = this.kernel
    return this.operations.begin({
      tile,
      name: 'the normalisation of the scores',
      reads: [carriedSum],
      updates: [scores],
      compute: ([block]) => {
        if (block === undefined) return
        for (let at = 0; at < block.length; at++) {
          const sum = carriedSum.values[Math.floor(at / shape.sliceCols)] ?? NaN
          block[at] = sum === 0 ? 0 : roundProbability((block[at] ?? NaN) / sum, arithmetic)
        }
        this.normalised.add(`${String(tile)}.${String(set)}`)
      },
    })
  }

  rescale(tile: number, set: BufferSet, chunk: number): Completion {
    const sequence = this.sequence(tile, set)
    const output = this.of(tile).of({ kind: 'output', set, chunk })
    const update = nextState({ ...sequence, output }, 'output', this.scale, this.working)
    return this.operations.begin({ tile, ...update })
  }

  multiplyValues(tile: number, set: BufferSet, { chunk, slot }: ChunkInSlot): Completion {
    const { sliceRows, sliceCols } = this.kernel.shape
    const buffers = this.of(tile)
    const { scores } = buffers.sequence(set)
    const value = buffers.slot('value', slot)
    const size = { rows: sliceRows, inner: sliceCols, columns: this.slices.valueWidth(chunk) }
    return this.operations.begin({
      tile,
      name: `P · V of chunk ${String(chunk)}`,
      reads: [scores, value],
      updates: [buffers.of({ kind: 'output', set, chunk })],
      compute: ([block]) => {
        if (block) addProduct(block, scores.values, value.values, size, this.working)
      },
    })
  }

  divide(tile: number, set: BufferSet, chunk: number): Completion {
    const { carriedSum } = this.sequence(tile, set)
    const output = this.of(tile).of({ kind: 'output', set, chunk })
    return this.operations.begin({
      tile,
      name: `the division of ${output.name}`,
      reads: [carriedSum],
      updates: [output],
      compute: ([block]) => {
        if (block) divideRows(block, carriedSum.values, this.working)
      },
    })
  }

  store(tile: number, set: BufferSet, chunk: number, rowBlock: RowBlock): Completion {
    const output = this.of(tile).of({ kind: 'output', set, chunk })
    return this.operations.begin({
      tile,
      name: `the store of ${output.name}`,
      reads: [output],
      compute: () => {
        const isNormalised = this.normalised.has(`${String(tile)}.${String(set)}`)
        this.keep(output.values, chunk, rowBlock, tile, isNormalised)
      },
    })
  }

  merge(into: number, from: number): Completion {
    const [own, other] = [this.sequence(into, 0), this.sequence(from, 0)]
    return this.operations.begin({
      tile: into,
      name: 'the merge of partial results',
      reads: [...other.output, other.carriedMaximum, other.carriedSum],
      updates: [own.carriedMaximum, own.carriedSum, ...own.output],
      compute: ([maxima, sums, ...outputs]) => {
        if (maxima === undefined || sums === undefined) return
        mergeState({ maxima, sums, outputs }, other, this.scale, this.working)
      },
    })
  }

  /** Rounds what is stored and puts it where it belongs. */
  private keep(block: Block, chunk: number, rowBlock: RowBlock, tile: number, isScaled: boolean) {
    const { arithmetic, shape } = this.kernel
    const { value } = headDimensions(shape.workload)
    const width = this.slices.valueWidth(chunk)
    const first = this.slices.firstRow(rowBlock, tile)
    const count = Math.min(shape.sliceRows, rowBlock.firstRow + rowBlock.rows - first)
    const unit = isScaled ? 1 / arithmetic.probabilityScale : 1
    for (let row = 0; row < count; row++) {
      const to = this.rows.queryRow(rowBlock.job, first + row)
      const stores = this.storesOfChunks[chunk]
      if (stores) stores[to] = (stores[to] ?? 0) + 1
      // A row counts as stored as often as the chunk that was stored least.
      this.stores[to] = Math.min(...this.storesOfChunks.map(chunks => chunks[to] ?? 0))
      for (let element = 0; element < width; element++) {
        const stored = (block[row * width + element] ?? NaN) * unit
        const at = to * value + this.slices.valueOffset(chunk) + element
        this.output[at] = roundTo(stored, arithmetic.output)
      }
    }
  }

  private load(
    tile: number,
    kind: 'query' | 'key' | 'value',
    { slot }: ChunkInSlot,
    contents: () => Block,
  ): Completion {
    const target = this.of(tile).slot(kind, slot)
    return this.operations.begin({
      tile,
      name: `the load of ${target.name}`,
      writes: [target],
      compute: ([block]) => block?.set(contents()),
    })
  }

  private get scale(): number {
    return 1 / Math.sqrt(headDimensions(this.kernel.shape.workload).score)
  }

  private get working(): NumberFormat {
    return this.kernel.arithmetic.working
  }

  private sequence(tile: number, set: BufferSet): SequenceBuffers {
    return this.of(tile).sequence(set)
  }

  private of(tile: number): LatentBuffers {
    const known = this.buffers.get(tile)
    if (known !== undefined) return known
    const created = new LatentBuffers(this.kernel.shape)
    this.buffers.set(tile, created)
    return created
  }
}
