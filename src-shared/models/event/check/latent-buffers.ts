import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { latentChunks } from '#shared/models/attention/latent-chunks.ts'
import { chunkWidth } from '#shared/models/attention/latent-occupancy.ts'
import type { BufferSet } from '#shared/models/event/attention/attention-data.ts'
import { CheckedBuffer } from '#shared/models/event/check/checked-buffer.ts'
import { headDimensions } from '#shared/workload/attention.ts'
import type { LatentBuffer } from '#shared/models/event/latent/latent-data.ts'

type Slice = Pick<KernelShape, 'sliceRows' | 'sliceCols' | 'workload'>

/** What belongs to one of the two sequences that a tile may interleave. */
export interface SequenceBuffers {
  /** Scores, and then their exponentials. */
  readonly scores: CheckedBuffer
  readonly maximum: CheckedBuffer
  readonly sum: CheckedBuffer
  /** Over the column blocks before. */
  readonly carriedMaximum: CheckedBuffer
  readonly carriedSum: CheckedBuffer
  readonly factor: CheckedBuffer
  /** By chunk. */
  readonly output: readonly CheckedBuffer[]
}

const createSequence = ({ sliceRows, sliceCols, workload }: Slice): SequenceBuffers => ({
  scores: new CheckedBuffer('the block of scores', sliceRows * sliceCols),
  maximum: new CheckedBuffer('the row maxima', sliceRows),
  sum: new CheckedBuffer('the row sums', sliceRows),
  carriedMaximum: new CheckedBuffer('the row maxima so far', sliceRows),
  carriedSum: new CheckedBuffer('the row sums so far', sliceRows),
  factor: new CheckedBuffer('the rescaling factors', sliceRows),
  output: latentChunks(workload).latent.map(
    (width, chunk) => new CheckedBuffer(`chunk ${String(chunk)} of O`, sliceRows * width),
  ),
})

/** The buffers of a tile in absorbed MLA; a narrow chunk leaves the end of its slot unused. */
export class LatentBuffers {
  private readonly slice: Slice
  private readonly sequences = new Map<BufferSet, SequenceBuffers>()
  private readonly slots = new Map<string, CheckedBuffer>()

  constructor(slice: Slice) {
    this.slice = slice
  }

  sequence(set: BufferSet): SequenceBuffers {
    const known = this.sequences.get(set)
    if (known !== undefined) return known
    const created = createSequence(this.slice)
    this.sequences.set(set, created)
    return created
  }

  slot(kind: 'query' | 'key' | 'value', slot: number): CheckedBuffer {
    const id = `${kind}${String(slot)}`
    const known = this.slots.get(id)
    if (known !== undefined) return known
    const { sliceRows, sliceCols, workload } = this.slice
    const letter = { query: 'Q', key: 'K', value: 'V' }[kind]
    const rows = kind === 'query' ? sliceRows : sliceCols
    const created = new CheckedBuffer(
      `slot ${String(slot)} of ${letter}`,
      rows * chunkWidth(workload),
    )
    this.slots.set(id, created)
    return created
  }

  of(buffer: LatentBuffer): CheckedBuffer {
    switch (buffer.kind) {
      case 'query':
      case 'key':
      case 'value':
        return this.slot(buffer.kind, buffer.slot)
      case 'output': {
        const output = this.sequence(buffer.set).output[buffer.chunk]
        if (output === undefined) throw new RangeError(`no chunk ${String(buffer.chunk)} of O`)
        return output
      }
      case 'scores':
      case 'maximum':
      case 'sum':
        return this.sequence(buffer.set)[buffer.kind]
    }
  }
}

/** Elements of the buffers of one sequence, with two slots of each kind. */
export function elementsOfSequence({ sliceRows, sliceCols, workload }: Slice): number {
  const slots = 2 * chunkWidth(workload) * (sliceRows + 2 * sliceCols)
  return slots + sliceRows * (headDimensions(workload).value + sliceCols + 5)
}
