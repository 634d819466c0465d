import type { Chip } from '#shared/hardware/chip.ts'
import type { ClosedRows } from '#shared/models/attention/closed-rows.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { blockCounts } from '#shared/models/attention/block-counts.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { latentSteps, type LatentSteps } from '#shared/models/attention/latent-steps.ts'
import { mergeOfPartials } from '#shared/models/attention/merge-partials.ts'
import {
  ExposedTime,
  exposedTail,
  inParallel,
  segment,
  type Segment,
} from '#shared/models/attention/timeline.ts'
import { chipBarrier } from '#shared/models/collectives/barrier.ts'

/**
 * FlatMLA with one sequence at a time, and FlashMLA, which is the same on a group of one tile.
 *
 * A column block multiplies Q and K chunk by chunk (4 × 128 and the rope part for DeepSeek); the
 * next chunk is loaded and multicast under each operation, V under the last. Softmax has nothing
 * beside it. Then the output follows chunk by chunk, each with the load of the next V beneath it:
 *
 *   block  = load Q₀, K₀ + Σ max(T_QK, next chunk) + softmax [+ rescale O₀] + Σ max(T_PV, next V)
 *   phase  = max(T_matrix, chain + barrier) + launch
 *
 * From the second column block of a row on, O is multiplied by the change of the running maximum: the
 * first chunk before, the others beneath the operation before theirs. In the last column block
 * they are divided in the same way; reduction over the row and store pass under the scores of the
 * next row block. The FlashMLA that uses all tiles keeps the whole of Q in L1; where it splits KV over
 * tiles, their partial results are merged first.
 *
 * Source: arXiv 2604.02110, Section IV and the public FlatMLA kernels; order of the steps as there.
 * Checked by: the validation set mla-runs-2026
 *
 * @param concurrentGroups groups that use HBM at the same time
 */
export function latentSync(
  dataflow: Dataflow,
  shape: KernelShape,
  concurrentGroups: number,
  chip: Chip,
  closed: ClosedRows,
): ExposedTime {
  const steps = latentSteps(dataflow, shape, concurrentGroups, chip, closed)
  const rows = shape.busyRowBlocksPerGroup
  const blocks = shape.columnBlocksPerGroup
  const time = new ExposedTime()
  time.add([segment('other', 2 * chipBarrier(chip), 'barriers of the chip')], 'start and end')
  const phase = (matrix: Segment, chain: readonly Segment[], count: number, place: string) => {
    if (count <= 0) return
    time.add([matrix, ...exposedTail([...chain, steps.barrier], matrix.cycles)], place, count)
    time.add(steps.launch, 'per matrix operation', count)
  }

  time.add(steps.loadWholeQuery, 'before a row block', rows)
  time.add([...(steps.keys[0]?.load ?? []), steps.barrier], 'before a column block', blocks)
  // The O of the row block before is finished under the first scores of the next.
  const following = Math.max(0, rows - 1)
  steps.keys.forEach(({ matrix }, index) => {
    const next = steps.keys[index + 1]?.load ?? steps.values[0]?.load ?? []
    const finish = finishOf(steps, index)
    phase(matrix, [...finish, ...next], following, 'beyond scores that follow a row block')
    phase(matrix, next, blocks - following, 'beyond scores')
  })
  time.add(softmaxOfBlock(steps), 'per column block', blocks)
  const [first] = steps.values
  if (first !== undefined) {
    time.add(
      [segment('vector', steps.softmax.stateUpdate, 'update of the factor'), first.rescale],
      'after the first column block of a row block',
      blocks - rows,
    )
  }
  addOutputs(steps, shape, phase)
  const last = steps.values.at(-1)
  if (last !== undefined) time.add([last.divide], 'after a row block', rows)
  time.add(mergeOfPartials(dataflow, shape, steps, chip), 'after a row block', rows)
  if (rows > 0) time.add(allFinished(steps), 'after the last row block')
  time.add(
    steps.values.flatMap(({ store }) => store),
    'per row block that the mask empties',
    shape.rowBlocksPerGroup - rows,
  )
  return time
}

function softmaxOfBlock({ softmax, state, costs }: LatentSteps): Segment[] {
  return [
    segment('vector', softmax.rowMax, 'row maxima'),
    ...state('max-reduction', 'the row maxima'),
    segment('vector', softmax.exp + softmax.rowSum, 'exponentials and row sums'),
    ...state('sum-reduction', 'the row sums'),
    segment('other', costs.clearScores, 'clearing of the scores'),
  ]
}

/** Output phases: V of the next chunk is loaded, and a chunk of O rescaled or divided beside it. */
function addOutputs(
  { values }: LatentSteps,
  shape: KernelShape,
  phase: (matrix: Segment, chain: readonly Segment[], count: number, place: string) => void,
): void {
  const rows = shape.busyRowBlocksPerGroup
  const blocks = shape.columnBlocksPerGroup
  const counts = blockCounts(blocks, rows)
  values.forEach(({ matrix }, index) => {
    const next = values[index + 1]
    const load = next?.load ?? []
    const rescale = next === undefined ? [] : [next.rescale]
    const before = values[index - 1]
    const divide = before === undefined ? [] : [before.divide]
    const chain = (vector: readonly Segment[]) => inParallel(vector, load)
    phase(matrix, chain([]), counts.first, 'beyond the first output of a row block')
    phase(matrix, chain(rescale), counts.middle, 'beyond an output inside a row block')
    phase(matrix, chain([...divide, ...rescale]), counts.last, 'beyond the last output of a row')
    phase(matrix, chain(divide), counts.only, 'beyond the only output of a row block')
  })
}

/** Reduction and store of a chunk of O. */
export const finishOf = ({ values }: LatentSteps, index: number): readonly Segment[] => {
  const chunk = values[index]
  return chunk === undefined ? [] : [...chunk.reduce, ...chunk.store]
}

const allFinished = (steps: LatentSteps): Segment[] =>
  steps.values.flatMap((_, index) => finishOf(steps, index))
