import type { Chip } from '#shared/hardware/chip.ts'
import { groupCollectives } from '#shared/models/attention/group-collectives.ts'
import { groupLoads } from '#shared/models/attention/group-loads.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { sliceCosts } from '#shared/models/attention/tile-costs.ts'
import {
  ExposedTime,
  exposedTail,
  inParallel,
  segment,
  type Segment,
} from '#shared/models/attention/timeline.ts'
import { chipBarrier } from '#shared/models/collectives/barrier.ts'
import { L1_CONTENTION_PER_PHASE_CYCLES } from '#shared/models/constants.ts'
import { softmaxSteps } from '#shared/models/engines/vector-engine.ts'

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
 *   phase = max(T_matrix, chain) + launch, and after an output the clearing of the scores
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
export function flatAsync(shape: KernelShape, concurrentGroups: number, chip: Chip): ExposedTime {
  const { busyRowBlocksPerGroup: rowBlocks, columnBlocksPerGroup: columnBlocks } = shape
  const time = new ExposedTime()
  time.add([segment('other', 2 * chipBarrier(chip))])

  const steps = asyncSteps(shape, concurrentGroups, chip)
  const { costs, barrier } = steps
  const launch = costs.launch + 2 * costs.sync + L1_CONTENTION_PER_PHASE_CYCLES
  const phase = (matrix: number, chain: readonly Segment[], count: number, cleared: number) => {
    if (count <= 0) return
    time.add([segment('matrix', matrix), ...exposedTail(chain, matrix)], count)
    time.add([segment('other', launch + cleared)], count)
  }

  // Before the first phase: Q of both heads, K of the first.
  const queriesAtStart = Math.min(2, rowBlocks)
  time.add([segment('other', 2 * costs.clearOutput + costs.clearScores)])
  time.add([...steps.loadQuery, barrier], queriesAtStart)
  time.add([...steps.loadKey, barrier])

  // Outputs. The last one has no scores left to reduce; of the others, all but the first find a
  // finished row block to divide, and all but the last load the Q of the next.
  const boundaries = rowBlocks
  const insideRows = columnBlocks - rowBlocks
  const bothEnds = Math.max(0, boundaries - 4)
  const queryOnly = boundaries > 3 ? 1 : 0
  const nothing = boundaries > 3 ? 0 : Math.min(1, boundaries - 1)
  const outputOnly = Math.max(0, boundaries - 1 - bothEnds - queryOnly - nothing)
  phase(costs.output, steps.outputPhase({ finish: true, load: true }), bothEnds, costs.clearScores)
  phase(
    costs.output,
    steps.outputPhase({ finish: false, load: true }),
    queryOnly,
    costs.clearScores,
  )
  phase(
    costs.output,
    steps.outputPhase({ finish: true, load: false }),
    outputOnly,
    costs.clearScores,
  )
  phase(costs.output, steps.outputPhase({ finish: false, load: false }), nothing, costs.clearScores)
  phase(costs.output, boundaries > 1 ? steps.finishRowBlock : [], 1, costs.clearScores)
  phase(costs.output, steps.insideRow, insideRows, costs.clearScores)
  // The group meets before the output of α; the other outputs follow without.
  time.add([barrier], columnBlocks / 2)

  // Scores. The first loads the K of the other head; the last has no K left to load.
  const scores = columnBlocks
  const steady = Math.max(0, scores - 2)
  const rescaled = Math.min(steady, insideRows)
  phase(costs.scores, steps.loadKey, Math.min(1, scores - 1), 0)
  phase(costs.scores, steps.scoresPhase(0), steady - rescaled, 0)
  phase(costs.scores, steps.scoresPhase(steps.rescale), rescaled / 2, 0)
  phase(costs.scores, steps.scoresPhase(steps.otherRescale), rescaled / 2, 0)
  phase(costs.scores, steps.lastScores, 1, 0)

  // Chains without a matrix operation above them, and the end.
  time.add([...(rowBlocks > 2 ? [...steps.loadQuery, barrier] : []), ...steps.rowMaximum])
  time.add(steps.lastScores)
  time.add([...steps.finishRowBlock, segment('other', 2 * costs.clearScores)])
  // Row blocks that the mask empties.
  time.add(steps.storeOutput, shape.rowBlocksPerGroup - rowBlocks)
  return time
}

function asyncSteps(shape: KernelShape, concurrentGroups: number, chip: Chip) {
  const { workload } = shape
  const costs = sliceCosts(shape, chip)
  const group = groupCollectives('flat-async', shape, costs.element, chip)
  const loads = groupLoads(shape, concurrentGroups, costs, chip)
  const { softmax } = costs
  const barrier = segment('other', group.barrier)
  const sharesRows = shape.groupX > 1

  const state = (component: 'max-reduction' | 'sum-reduction'): Segment[] => [
    ...(sharesRows
      ? [
          barrier,
          segment(component, group.rowReduction(costs.stateVector)),
          barrier,
          segment('multicast', group.rowMulticast(costs.stateVector)),
          barrier,
        ]
      : []),
    segment('vector', softmax.stateUpdate),
  ]
  const columnMulticast = segment(
    'multicast',
    shape.groupY > 1 ? group.columnMulticast(costs.columnOperand) : 0,
  )
  const loadQuery: Segment[] = [
    segment('hbm', loads.query),
    segment('multicast', sharesRows ? group.rowMulticast(costs.rowOperand) : 0),
  ]
  const loadKey: Segment[] = [
    segment('hbm', loads.key),
    segment('other', costs.keyTranspose),
    columnMulticast,
  ]
  const loadValue: Segment[] = [segment('hbm', loads.value), columnMulticast]
  const loadBoth: Segment[] = [
    segment('hbm', loads.key),
    segment('other', costs.keyTranspose),
    segment('hbm', loads.value),
    columnMulticast,
    columnMulticast,
  ]
  const reduceOutput: Segment[] = sharesRows
    ? [segment('sum-reduction', group.rowReduction(costs.rowOperand)), barrier]
    : []
  const storeOutput: Segment[] = [
    segment('hbm', loads.outputStore),
    segment('other', costs.clearOutput + chip.control.dmaLocal),
  ]
  const divide: Segment[] = [segment('vector', softmax.divide)]
  const rowMax: Segment[] = [segment('vector', softmax.rowMax)]
  const expAndSum: Segment[] = [segment('vector', softmax.exp + softmax.rowSum)]
  const rowMaximum: Segment[] = [...rowMax, ...state('max-reduction')]
  const rescaleSwapped = (): number =>
    softmaxSteps(workload.headDim, shape.sliceCols, shape.sliceRows, {
      engine: chip.vectorEngine,
      elementBytes: costs.element,
      partialRowsSkipped: chip.artefacts.partialVectorRowsSkipped,
    }).rescale
  const scoresPhase = (rescale: number): Segment[] => [
    ...inParallel(expAndSum, loadBoth),
    ...state('sum-reduction'),
    segment('vector', rescale),
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
    lastScores: [...inParallel(expAndSum, loadValue), ...state('sum-reduction')],
    storeOutput,
    finishRowBlock: [...reduceOutput, ...divide, ...storeOutput],
    outputPhase: (work: { readonly finish: boolean; readonly load: boolean }): Segment[] => [
      barrier,
      ...(work.finish ? reduceOutput : []),
      ...inParallel(work.finish ? divide : [], work.load ? loadQuery : []),
      ...inParallel(rowMax, work.finish ? storeOutput : []),
      ...state('max-reduction'),
    ],
  }
}
