import type {
  BlockPosition,
  BufferSet,
  Completion,
} from '#shared/models/event/attention/attention-data.ts'
import { roundProbability } from '#shared/models/event/check/arithmetic.ts'
import {
  exponentiate,
  maskScores,
  rowMaxima,
  sumRows,
} from '#shared/models/event/check/block-arithmetic.ts'
import { firstState, nextState } from '#shared/models/event/check/carried-state.ts'
import type { CheckedKernel } from '#shared/models/event/check/checked-attention.ts'
import { CheckedOperations } from '#shared/models/event/check/checked-operations.ts'
import { JobRows } from '#shared/models/event/check/job-rows.ts'
import { LatentBuffers, type SequenceBuffers } from '#shared/models/event/check/latent-buffers.ts'
import { LatentSlices } from '#shared/models/event/check/latent-slices.ts'
import { mergeState } from '#shared/models/event/check/merge-state.ts'
import type { NumberFormat } from '#shared/models/event/check/number-format.ts'
import { headDimensions } from '#shared/workload/attention.ts'

/** The online softmax of absorbed MLA on real numbers, and the merge of tiles that split KV. */
export class CheckedSoftmax {
  readonly operations = new CheckedOperations()
  protected readonly kernel: CheckedKernel
  protected readonly slices: LatentSlices
  private readonly rows: JobRows
  private readonly buffers = new Map<number, LatentBuffers>()

  constructor(kernel: CheckedKernel) {
    this.kernel = kernel
    this.rows = new JobRows(kernel.shape.workload)
    this.slices = new LatentSlices(kernel)
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

  protected get scale(): number {
    return 1 / Math.sqrt(headDimensions(this.kernel.shape.workload).score)
  }

  protected get working(): NumberFormat {
    return this.kernel.arithmetic.working
  }

  protected sequence(tile: number, set: BufferSet): SequenceBuffers {
    return this.of(tile).sequence(set)
  }

  protected of(tile: number): LatentBuffers {
    const known = this.buffers.get(tile)
    if (known !== undefined) return known
    const created = new LatentBuffers(this.kernel.shape)
    this.buffers.set(tile, created)
    return created
  }
}
