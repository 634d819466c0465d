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
  maximumWith,
  type Block,
} from '#shared/models/event/check/block-arithmetic.ts'
import { nextState } from '#shared/models/event/check/carried-state.ts'
import type { CheckedKernel } from '#shared/models/event/check/checked-attention.ts'
import { CheckedSoftmax } from '#shared/models/event/check/checked-softmax.ts'
import { LatentOutput } from '#shared/models/event/check/latent-output.ts'
import type {
  ChunkInSlot,
  LatentBuffer,
  LatentData,
} from '#shared/models/event/latent/latent-data.ts'

/** Executes the programs of absorbed MLA on real numbers. */
export class CheckedLatent extends CheckedSoftmax implements LatentData {
  private readonly stored: LatentOutput

  constructor(kernel: CheckedKernel) {
    super(kernel)
    this.stored = new LatentOutput(kernel, this.slices)
  }

  /** O as it was stored, in the layout of the tensors; NaN where nothing was. */
  get output(): Float64Array {
    return this.stored.output
  }

  /** How often each row of O was stored completely. */
  get stores(): Uint16Array {
    return this.stored.stores
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
        this.stored.keep(output.values, { chunk, rowBlock, tile })
      },
    })
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
}
