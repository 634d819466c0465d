import { latentChunks } from '#shared/models/attention/latent-chunks.ts'
import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'
import type { Block } from '#shared/models/event/check/block-arithmetic.ts'
import type { CheckedKernel } from '#shared/models/event/check/checked-attention.ts'
import { JobRows } from '#shared/models/event/check/job-rows.ts'
import type { LatentSlices } from '#shared/models/event/check/latent-slices.ts'
import { roundTo } from '#shared/models/event/check/number-format.ts'
import { headDimensions } from '#shared/workload/attention.ts'

/** A chunk of O that is stored. */
interface StoredChunk {
  readonly chunk: number
  readonly rowBlock: RowBlock
  readonly tile: number
}

/** O as the tiles of a kernel of absorbed MLA store it, chunk by chunk. */
export class LatentOutput {
  /** In the layout of the tensors; NaN where nothing was stored. */
  readonly output: Float64Array
  /** How often each row was stored completely: as often as the chunk that was stored least. */
  readonly stores: Uint16Array
  private readonly kernel: CheckedKernel
  private readonly slices: LatentSlices
  private readonly rows: JobRows
  private readonly storesOfChunks: readonly Uint16Array[]

  constructor(kernel: CheckedKernel, slices: LatentSlices) {
    const { workload } = kernel.shape
    const { score, value } = headDimensions(workload)
    const rows = kernel.tensors.query.length / score
    this.kernel = kernel
    this.slices = slices
    this.rows = new JobRows(workload)
    this.output = new Float64Array(rows * value).fill(NaN)
    this.stores = new Uint16Array(rows)
    this.storesOfChunks = latentChunks(workload).latent.map(() => new Uint16Array(rows))
  }

  /** Rounds what is stored and puts it where it belongs. */
  keep(block: Block, { chunk, rowBlock, tile }: StoredChunk): void {
    const { arithmetic, shape } = this.kernel
    const { value } = headDimensions(shape.workload)
    const width = this.slices.valueWidth(chunk)
    const first = this.slices.firstRow(rowBlock, tile)
    const count = Math.min(shape.sliceRows, rowBlock.firstRow + rowBlock.rows - first)
    for (let row = 0; row < count; row++) {
      const to = this.rows.queryRow(rowBlock.job, first + row)
      const stores = this.storesOfChunks[chunk]
      if (stores) stores[to] = (stores[to] ?? 0) + 1
      this.stores[to] = Math.min(...this.storesOfChunks.map(chunks => chunks[to] ?? 0))
      for (let element = 0; element < width; element++) {
        const stored = block[row * width + element] ?? NaN
        const at = to * value + this.slices.valueOffset(chunk) + element
        this.output[at] = roundTo(stored, arithmetic.output)
      }
    }
  }
}
