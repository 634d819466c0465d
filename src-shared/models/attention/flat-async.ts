import type { Chip } from '#shared/hardware/chip.ts'
import { groupCollectives } from '#shared/models/attention/group-collectives.ts'
import { groupLoads } from '#shared/models/attention/group-loads.ts'
import type { ClosedRows } from '#shared/models/attention/closed-rows.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { sliceCosts } from '#shared/models/attention/tile-costs.ts'
import {
  ExposedTime,
  exposedTail,
  inParallel,
  segment,
  totalCycles,
  type Segment,
} from '#shared/models/attention/timeline.ts'
import { chipBarrier } from '#shared/models/collectives/barrier.ts'
import { L1_CONTENTION_PER_PHASE_CYCLES } from '#shared/models/constants.ts'
import { softmaxSteps } from '#shared/models/engines/vector-engine.ts'
import { headDimensions } from '#shared/workload/attention.ts'

/**
 * FlatAsync: FlatAttention with two heads interleaved, so that the matrix engine works on one while
 * the vector engines and the DMA work on the other.
 *
 * Each pair of column blocks takes four phases: scores of α, scores of β, output of α, output of β,
 * where the output of one head runs between the scores of the other. Beside the matrix operation
 * runs a chain of everything that the other head needs:
 *
 *   beside an output  [at the end of a row block: reduce O and divide it ∥ load and multicast the
 *                     next Q]; row maxima ∥ store O; reduce and multicast the maxima
 *   beside scores     exponentials and row sums ∥ {load K, transpose it, load V, multicast both};
 *                     reduce and multicast the sums; rescale O (not in a first column block)
 *
 *   phase = max(launch + T_matrix, chain), and after an output the clearing of the scores
 *
 * Before the first phase Q of both heads and K of the first are loaded. One chain after the first
 * scores and one before the last output have no matrix operation to hide under, and the last O is
 * reduced, divided and stored after everything else.
 *
 * Source: arXiv 2604.02110, Fig. 4; order and number of the operations from recorded timelines of
 *   the reference simulator (4 × 4 and 8 × 8 tiles).
 * Checked by: test/published/reference-runs.test.ts
 *
 * @param shape with an even number of jobs on each group, and at least one column block
 * @param concurrentGroups groups that use HBM at the same time
 */
export function flatAsync(
  shape: KernelShape,
  concurrentGroups: number,
  chip: Chip,
  closed: ClosedRows,
): ExposedTime {
  const { busyRowBlocksPerGroup: rowBlocks, columnBlocksPerGroup: columnBlocks } = shape
  const time = new ExposedTime()
  time.add([segment('other', 2 * chipBarrier(chip), 'barriers of the chip')], 'start and end')

  const steps = asyncSteps(shape, concurrentGroups, chip, closed)
  const { costs, barrier } = steps
  const launch = [
    segment('other', costs.launch, 'launch of the matrix engine'),
    segment('other', 2 * costs.sync, 'synchronisation of the tile'),
    segment('other', L1_CONTENTION_PER_PHASE_CYCLES, 'contention for L1'),
  ]
  const launchCycles = totalCycles(launch)
  const output = (chain: readonly Segment[], count: number, place: string) => {
    if (count <= 0) return
    const matrix = segment('matrix', costs.output, 'P · V')
    time.add([matrix, ...exposedTail(chain, costs.output + launchCycles)], place, count)
    time.add(launch, 'per phase', count)
    time.add([segment('other', costs.clearScores, 'clearing of the scores')], 'per output', count)
  }
  const score = (chain: readonly Segment[], count: number, place: string) => {
    if (count <= 0) return
    const matrix = segment('matrix', costs.scores, 'Q · Kᵀ')
    time.add([matrix, ...exposedTail(chain, costs.scores + launchCycles)], place, count)
    time.add(launch, 'per phase', count)
  }

  // Before the first phase: Q of both heads, K of the first.
  const queriesAtStart = Math.min(2, rowBlocks)
  time.add(
    [
      segment('other', 2 * costs.clearOutput, 'clearing of O'),
      segment('other', costs.clearScores, 'clearing of the scores'),
    ],
    'before the first phase',
  )
  time.add([...steps.loadQuery, barrier], 'before the first phase', queriesAtStart)
  time.add([...steps.loadKey, barrier], 'before the first phase')

  // Outputs. The last one has no scores left to reduce; of the others, all but the first find a
  // finished row block to divide, and all but the last load the Q of the next.
  const boundaries = rowBlocks
  const insideRows = columnBlocks - rowBlocks
  const bothEnds = Math.max(0, boundaries - 4)
  const queryOnly = boundaries > 3 ? 1 : 0
  const nothing = boundaries > 3 ? 0 : Math.min(1, boundaries - 1)
  const outputOnly = Math.max(0, boundaries - 1 - bothEnds - queryOnly - nothing)
  const boundary = 'beyond the output of a row block'
  output(steps.outputPhase({ finish: true, load: true }), bothEnds, boundary)
  output(steps.outputPhase({ finish: false, load: true }), queryOnly, boundary)
  output(steps.outputPhase({ finish: true, load: false }), outputOnly, boundary)
  output(steps.outputPhase({ finish: false, load: false }), nothing, boundary)
  output(boundaries > 1 ? steps.finishRowBlock : [], 1, 'beyond the last output')
  output(steps.insideRow, insideRows, 'beyond an output inside a row block')
  // The group meets before the output of α; the other outputs follow without.
  time.add([barrier], 'before every other output', columnBlocks / 2)

  // Scores. The first loads the K of the other head; the last has no K left to load.
  const scores = columnBlocks
  const steady = Math.max(0, scores - 2)
  const rescaled = Math.min(steady, insideRows)
  score(steps.loadKey, Math.min(1, scores - 1), 'beyond the first scores')
  score(steps.scoresPhase(0), steady - rescaled, 'beyond the first scores of a row block')
  score(steps.scoresPhase(steps.rescale), rescaled / 2, 'beyond scores inside a row block')
  score(steps.scoresPhase(steps.otherRescale), rescaled / 2, 'beyond scores inside a row block')
  score(steps.lastScores, 1, 'beyond the last scores')

  // Chains without a matrix operation above them, and the end.
  time.add(
    [...(rowBlocks > 2 ? [...steps.loadQuery, barrier] : []), ...steps.rowMaximum],
    'after the first scores, with nothing beside it',
  )
  time.add(steps.lastScores, 'before the last output, with nothing beside it')
  time.add(
    [...steps.finishRowBlock, segment('other', 2 * costs.clearScores, 'clearing of the scores')],
    'after the last output',
  )
  // Row blocks that the mask empties.
  time.add(
    steps.storeOutput,
    'per row block that the mask empties',
    shape.rowBlocksPerGroup - rowBlocks,
  )
  return time
}

function asyncSteps(shape: KernelShape, concurrentGroups: number, chip: Chip, closed: ClosedRows) {
  const { value } = headDimensions(shape.workload)
  const costs = sliceCosts(shape, chip)
  const group = groupCollectives('flat-async', shape, costs.element, chip)
  const loads = groupLoads(shape, concurrentGroups, costs, chip, closed, false)
  const { softmax } = costs
  const barrier = segment('other', group.barrier, 'barrier of the group')
  const sharesRows = shape.groupX > 1

  const state = (component: 'max-reduction' | 'sum-reduction', name: string): Segment[] => [
    ...(sharesRows
      ? [
          barrier,
          segment(component, group.rowReduction(costs.stateVector), `reduction of ${name}`),
          barrier,
          segment('multicast', group.rowMulticast(costs.stateVector), `multicast of ${name}`),
          barrier,
        ]
      : []),
    segment('vector', softmax.stateUpdate, `update of ${name}`),
  ]
  const columnMulticast = (operand: 'K' | 'V') =>
    segment(
      'multicast',
      shape.groupY > 1 ? group.columnMulticast(operand === 'K' ? costs.key : costs.value) : 0,
      `multicast of ${operand}`,
    )
  const loadQuery: Segment[] = [
    segment('hbm', loads.query, 'load of Q'),
    segment('multicast', sharesRows ? group.rowMulticast(costs.query) : 0, 'multicast of Q'),
  ]
  const loadKey: Segment[] = [
    segment('hbm', loads.key, 'load of K'),
    segment('other', costs.keyTranspose, 'transposition of K'),
    columnMulticast('K'),
  ]
  const loadValue: Segment[] = [segment('hbm', loads.value, 'load of V'), columnMulticast('V')]
  const loadBoth: Segment[] = [
    segment('hbm', loads.key, 'load of K'),
    segment('other', costs.keyTranspose, 'transposition of K'),
    segment('hbm', loads.value, 'load of V'),
    columnMulticast('K'),
    columnMulticast('V'),
  ]
  const reduceOutput: Segment[] = sharesRows
    ? [segment('sum-reduction', group.rowReduction(costs.outputRows), 'reduction of O'), barrier]
    : []
  const storeOutput: Segment[] = [
    segment('hbm', loads.outputStore, 'store of O'),
    segment('other', costs.clearOutput + chip.control.dmaLocal, 'clearing of O, copy'),
  ]
  const divide: Segment[] = [segment('vector', softmax.divide, 'division of O')]
  const rowMax: Segment[] = [segment('vector', softmax.rowMax, 'row maxima')]
  const expAndSum: Segment[] = [
    segment('vector', softmax.exp + softmax.rowSum, 'exponentials and row sums'),
  ]
  const rowMaximum: Segment[] = [...rowMax, ...state('max-reduction', 'the row maxima')]
  const rescaleSwapped = (): number =>
    softmaxSteps(value, shape.sliceCols, shape.sliceRows, {
      engine: chip.vectorEngine,
      elementBytes: costs.element,
      partialRowsSkipped: chip.artefacts.partialVectorRowsSkipped,
    }).rescale
  const scoresPhase = (rescale: number): Segment[] => [
    ...inParallel(expAndSum, loadBoth),
    ...state('sum-reduction', 'the row sums'),
    segment('vector', rescale, 'rescaling of O'),
  ]
  return {
    costs,
    barrier,
    loadQuery,
    loadKey,
    rowMaximum,
    insideRow: [barrier, ...rowMaximum],
    scoresPhase,
    rescale: softmax.rescale,
    otherRescale: chip.artefacts.rescaleDimensionsSwapped ? rescaleSwapped() : softmax.rescale,
    lastScores: [...inParallel(expAndSum, loadValue), ...state('sum-reduction', 'the row sums')],
    storeOutput,
    finishRowBlock: [...reduceOutput, ...divide, ...storeOutput],
    outputPhase: (work: { readonly finish: boolean; readonly load: boolean }): Segment[] => [
      barrier,
      ...(work.finish ? reduceOutput : []),
      ...inParallel(work.finish ? divide : [], work.load ? loadQuery : []),
      ...inParallel(rowMax, work.finish ? storeOutput : []),
      ...state('max-reduction', 'the row maxima'),
    ],
  }
}
