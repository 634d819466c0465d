import type { Chip } from '#shared/hardware/chip.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { groupCollectives } from '#shared/models/attention/group-collectives.ts'
import { betweenStores, groupLoads } from '#shared/models/attention/group-loads.ts'
import type { ClosedRows } from '#shared/models/attention/closed-rows.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { sliceCosts } from '#shared/models/attention/tile-costs.ts'
import { ExposedTime, segment, type Segment } from '#shared/models/attention/timeline.ts'
import { chipBarrier } from '#shared/models/collectives/barrier.ts'
import { bytes } from '#shared/units/quantity.ts'

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
  closed: ClosedRows,
): ExposedTime {
  const costs = sliceCosts(shape, chip)
  const group = groupCollectives(dataflow, shape, costs.element, chip)
  const loads = groupLoads(shape, concurrentGroups, costs, chip, closed)
  const { softmax } = costs
  const b = segment('other', group.barrier, 'barrier of the group')
  const sharesRows = shape.groupX > 1
  const sharesColumns = shape.groupY > 1

  const stateCollective = (
    component: 'max-reduction' | 'sum-reduction',
    name: string,
  ): Segment[] =>
    sharesRows
      ? [
          b,
          segment(component, group.rowReduction(costs.stateVector), `reduction of ${name}`),
          b,
          segment('multicast', group.rowMulticast(costs.stateVector), `multicast of ${name}`),
          b,
        ]
      : []
  const columnBlock: Segment[] = [
    segment('other', costs.clearScores, 'clearing of the scores'),
    segment('other', 2 * chip.control.dmaLocal, 'copies of the state vectors'),
    segment('hbm', loads.keyAndValue, 'load of K and V'),
    segment('other', costs.keyTranspose, 'transposition of K'),
    ...(sharesColumns
      ? [
          b,
          segment(
            'multicast',
            group.columnMulticast(bytes(costs.key + costs.value)),
            'multicast of K and V',
          ),
          b,
        ]
      : []),
    segment('other', 2 * costs.launch, 'launches of the matrix engine'),
    segment('other', 6 * costs.sync, 'synchronisation of the tile'),
    segment('matrix', costs.scores, 'Q · Kᵀ'),
    segment('vector', softmax.rowMax, 'row maxima'),
    ...stateCollective('max-reduction', 'the row maxima'),
    segment('vector', softmax.exp + softmax.rowSum, 'exponentials and row sums'),
    ...stateCollective('sum-reduction', 'the row sums'),
    segment('matrix', costs.output, 'P · V'),
  ]
  const rescale: Segment[] = [
    segment('vector', 2 * softmax.stateUpdate + softmax.rescale, 'rescaling of O and updates'),
  ]
  const rowBlock: Segment[] = [
    segment('hbm', loads.query, 'load of Q'),
    ...(sharesRows
      ? [b, segment('multicast', group.rowMulticast(costs.query), 'multicast of Q'), b]
      : []),
    segment('vector', softmax.divide, 'division of O'),
    ...(sharesRows
      ? [b, segment('sum-reduction', group.rowReduction(costs.outputRows), 'reduction of O'), b]
      : []),
  ]
  const output: Segment[] = [
    segment('other', costs.clearOutput, 'clearing of O'),
    segment('hbm', loads.outputStore, 'store of O'),
    segment('other', betweenStores(costs, chip), 'copy and synchronisation'),
  ]

  const time = new ExposedTime()
  const { rowBlocksPerGroup, busyRowBlocksPerGroup, columnBlocksPerGroup } = shape
  time.add([segment('other', 2 * chipBarrier(chip), 'barriers of the chip')], 'start and end')
  time.add(columnBlock, 'per column block', columnBlocksPerGroup)
  time.add(
    rescale,
    'after the first column block of a row block',
    columnBlocksPerGroup - busyRowBlocksPerGroup,
  )
  time.add(rowBlock, 'per row block that has keys', busyRowBlocksPerGroup)
  time.add(output, 'per row block', rowBlocksPerGroup)
  return time
}
