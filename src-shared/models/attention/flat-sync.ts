import type { Chip } from '#shared/hardware/chip.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { groupCollectives } from '#shared/models/attention/group-collectives.ts'
import { groupLoads } from '#shared/models/attention/group-loads.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { sliceCosts } from '#shared/models/attention/tile-costs.ts'
import { ExposedTime, segment, type Segment } from '#shared/models/attention/timeline.ts'
import { chipBarrier } from '#shared/models/collectives/barrier.ts'

/**
 * FlatAttention with one head at a time (FlatSC, FlatTC, FlatHC): a group works on one block of
 * scores, and nothing overlaps inside it.
 *
 * A row block loads Q and multicasts it along the rows. Each of its column blocks loads K and V,
 * transposes K, multicasts both along the columns, multiplies, reduces the row maxima, computes the
 * exponentials, reduces the row sums, and multiplies again. At the end O is divided, reduced over
 * the row, and stored. Barriers of the group stand before and after each collective. Of a row block
 * that the mask empties only O is stored.
 *
 * Source: arXiv 2604.02110, Section IV; order of the steps as in the public kernels.
 * Checked by: test/published/reference-runs.test.ts
 */
export function flatSync(
  dataflow: Dataflow,
  shape: KernelShape,
  concurrentGroups: number,
  chip: Chip,
): ExposedTime {
  const costs = sliceCosts(shape, chip)
  const group = groupCollectives(dataflow, shape, costs.element, chip)
  const loads = groupLoads(shape, concurrentGroups, costs, chip)
  const { softmax } = costs
  const b = segment('other', group.barrier)
  const sharesRows = shape.groupX > 1
  const sharesColumns = shape.groupY > 1

  const stateCollective = (component: 'max-reduction' | 'sum-reduction'): Segment[] =>
    sharesRows
      ? [
          b,
          segment(component, group.rowReduction(costs.stateVector)),
          b,
          segment('multicast', group.rowMulticast(costs.stateVector)),
          b,
        ]
      : []
  const columnBlock: Segment[] = [
    segment('other', costs.clearScores + 2 * chip.control.dmaLocal),
    segment('hbm', loads.keyAndValue),
    segment('other', costs.keyTranspose),
    ...(sharesColumns
      ? [b, segment('multicast', group.columnMulticast(doubled(costs.columnOperand))), b]
      : []),
    segment('other', 2 * costs.launch + 6 * costs.sync),
    segment('matrix', costs.scores),
    segment('vector', softmax.rowMax),
    ...stateCollective('max-reduction'),
    segment('vector', softmax.exp + softmax.rowSum),
    ...stateCollective('sum-reduction'),
    segment('matrix', costs.output),
  ]
  const rescale: Segment[] = [segment('vector', 2 * softmax.stateUpdate + softmax.rescale)]
  const rowBlock: Segment[] = [
    segment('hbm', loads.query),
    ...(sharesRows ? [b, segment('multicast', group.rowMulticast(costs.rowOperand)), b] : []),
    segment('vector', softmax.divide),
    ...(sharesRows ? [b, segment('sum-reduction', group.rowReduction(costs.rowOperand)), b] : []),
  ]
  const output: Segment[] = [
    segment('other', costs.clearOutput),
    segment('hbm', loads.outputStore),
    segment('other', chip.control.dmaLocal + 2 * costs.sync),
  ]

  const time = new ExposedTime()
  const { rowBlocksPerGroup, busyRowBlocksPerGroup, columnBlocksPerGroup } = shape
  time.add([segment('other', 2 * chipBarrier(chip))])
  time.add(columnBlock, columnBlocksPerGroup)
  time.add(rescale, columnBlocksPerGroup - busyRowBlocksPerGroup)
  time.add(rowBlock, busyRowBlocksPerGroup)
  time.add(output, rowBlocksPerGroup)
  return time
}

const doubled = <T extends number>(value: T): T => (2 * value) as T
