import type { Chip } from '#shared/hardware/chip.ts'
import type { ClosedRows } from '#shared/models/attention/closed-rows.ts'
import { blockCounts } from '#shared/models/attention/block-counts.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { latentSteps, type LatentSteps } from '#shared/models/attention/latent-steps.ts'
import { finishOf } from '#shared/models/attention/latent-sync.ts'
import {
  ExposedTime,
  exposedTail,
  inParallel,
  segment,
  totalCycles,
  type Segment,
} from '#shared/models/attention/timeline.ts'
import { chipBarrier } from '#shared/models/collectives/barrier.ts'

/**
 * FlatMLA with two sequences interleaved, so that the softmax of one and all data movement pass
 * under the matrix operations of the other.
 *
 * A pair of column blocks takes 18 phases for DeepSeek: scores of α (four chunks and rope), scores of
 * β, output of α (four chunks), output of β. Beside each runs a chain that prepares the next:
 *
 *   beside scores    Q of the next chunk, multicast; K of it, transposition, multicast; beside the
 *                    rope part of β the first V
 *   beside output    V of the next chunk, multicast; reduction and store of the chunk of O before
 *   beside scores of β and output of α    a quarter of the other sequence's softmax, on one of the
 *                    tile's vector engines: maxima, exponentials, sums, and the last step
 *
 *   phase = max(T_matrix, max(softmax, loads) + state vectors + barrier) + launch
 *
 * With a single column block the last step normalises the scores. With several it rescales the
 * chunks of O by the change of the running maximum, on all vector engines; then the chunks are
 * divided by the row sums as they are finished.
 *
 * Source: arXiv 2604.02110, Section IV and the public FlatMLA kernels, which allow a single column
 *   block; the running maximum is Tessera's.
 * Checked by: the validation set mla-runs-2026
 *
 * @param shape with an even number of jobs on each group, and at least one column block
 * @param concurrentGroups groups that use HBM at the same time
 */
export function latentAsync(
  shape: KernelShape,
  concurrentGroups: number,
  chip: Chip,
  closed: ClosedRows,
): ExposedTime {
  const steps = latentSteps('flat-async', shape, concurrentGroups, chip, closed)
  const rows = shape.busyRowBlocksPerGroup / 2
  const positions = shape.columnBlocksPerGroup / 2
  const counts = blockCounts(positions, rows)
  const time = new ExposedTime()
  time.add([segment('other', 2 * chipBarrier(chip), 'barriers of the chip')], 'start and end')
  const phase = (matrix: Segment, chain: readonly Segment[], count: number, place: string) => {
    if (count <= 0) return
    time.add([matrix, ...exposedTail([...chain, steps.barrier], matrix.cycles)], place, count)
    time.add(steps.launch, 'per matrix operation', count)
  }
  const firstKey = steps.keys[0]?.load ?? []
  const firstValue = steps.values[0]?.load ?? []
  const keepsMaximum = shape.innerIterations > 1
  const finish = (index: number): Segment[] => {
    const divide = steps.values[index]?.divide
    const [...reduceAndStore] = finishOf(steps, index)
    return keepsMaximum && divide !== undefined ? [divide, ...reduceAndStore] : reduceAndStore
  }
  const lastChunk = steps.values.length - 1
  const softmax = {
    first: softmaxParts(steps, keepsMaximum ? 'nothing' : 'normalise'),
    later: softmaxParts(steps, 'rescale'),
  }

  time.add([...firstKey, steps.barrier], 'before the first phase')

  // Scores of α: the last chunk of O of the pair before is finished under the first of them.
  const afterRow = Math.max(0, rows - 1)
  steps.keys.forEach(({ matrix }, index) => {
    const next = steps.keys[index + 1]?.load ?? firstKey
    const following = index === 0 ? afterRow : 0
    phase(matrix, [...next, ...finish(lastChunk)], following, 'beyond scores after a row block')
    phase(matrix, next, positions - following, 'beyond scores of the first sequence')
  })

  // Scores of β beside the softmax of α.
  const isFirst = counts.first + counts.only
  steps.keys.forEach(({ matrix }, index) => {
    const next = steps.keys[index + 1]?.load ?? firstValue
    const chain = (parts: readonly SoftmaxPart[]) => beside(parts[index], next)
    phase(matrix, chain(softmax.first), isFirst, 'beyond scores of the second sequence')
    phase(matrix, chain(softmax.later), positions - isFirst, 'beyond scores inside a row block')
  })

  // Output of α beside the softmax of β, then output of β.
  steps.values.forEach(({ matrix }, index) => {
    const next = steps.values[index + 1]?.load ?? firstValue
    const done = index > 0 ? finish(index - 1) : []
    const add = (parts: readonly SoftmaxPart[], finished: readonly Segment[], count: number) => {
      phase(matrix, [...beside(parts[index], next), ...finished], count, 'beyond output, first')
    }
    add(softmax.first, [], counts.first)
    add(softmax.later, [], counts.middle)
    add(softmax.later, done, counts.last)
    add(softmax.first, done, counts.only)
  })
  steps.values.forEach(({ matrix }, index) => {
    const isEnd = index === lastChunk
    const next = steps.values[index + 1]?.load ?? firstKey
    const done = finish(index > 0 ? index - 1 : lastChunk)
    const place = 'beyond output, second'
    phase(matrix, [...next, ...done], rows - (isEnd ? 1 : 0), place)
    phase(matrix, next, positions - rows, place)
    // Nothing follows the very last chunk that would have to be loaded.
    if (isEnd) phase(matrix, done, 1, place)
  })
  time.add(finish(lastChunk), 'after the last output')
  time.add(
    steps.values.flatMap(({ store }) => store),
    'per row block that the mask empties',
    shape.rowBlocksPerGroup - shape.busyRowBlocksPerGroup,
  )
  return time
}

/** A part of the softmax, and the collectives of state vectors behind it. */
interface SoftmaxPart {
  readonly vector: readonly Segment[]
  readonly state: readonly Segment[]
}

/** The four steps of a softmax, shared out over the chunks of the output. */
function softmaxParts(
  steps: LatentSteps,
  last: 'normalise' | 'rescale' | 'nothing',
): SoftmaxPart[] {
  const { softmaxOfOneEngine: softmax, state, values } = steps
  const lastStep = {
    nothing: [],
    // Each row of the scores is multiplied by 1 / l: as long as a row of exponentials.
    normalise: [segment('vector', softmax.divide, 'normalisation of the scores')],
    rescale: [
      segment('vector', softmax.stateUpdate, 'update of the factor'),
      ...values.map(({ rescale }) => rescale),
    ],
  }[last]
  const four: SoftmaxPart[] = [
    {
      vector: [segment('vector', softmax.rowMax, 'row maxima')],
      state: state('max-reduction', 'the row maxima'),
    },
    { vector: [segment('vector', softmax.exp, 'exponentials')], state: [] },
    {
      vector: [segment('vector', softmax.rowSum, 'row sums')],
      state: state('sum-reduction', 'the row sums'),
    },
    { vector: lastStep, state: [] },
  ]
  const phases = values.length
  return Array.from({ length: phases }, (_, index) => {
    const mine = four.filter((_, step) => Math.floor((step * phases) / four.length) === index)
    return {
      vector: mine.flatMap(({ vector }) => vector),
      state: mine.flatMap(({ state: vectors }) => vectors),
    }
  })
}

/** A part of the softmax beside loads, then its state vectors. */
const beside = (part: SoftmaxPart | undefined, loads: readonly Segment[]): readonly Segment[] =>
  part === undefined || totalCycles([...part.vector, ...part.state]) === 0
    ? loads
    : [...inParallel(part.vector, loads), ...part.state]
