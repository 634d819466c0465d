import type { Chip } from '#shared/hardware/chip.ts'
import type { ClosedRows } from '#shared/models/attention/closed-rows.ts'
import { keyRows, type KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { hiddenStore } from '#shared/models/attention/group-loads.ts'
import { loadedSlices, type LoadedSlice } from '#shared/models/attention/loaded-slices.ts'
import { sliceCosts } from '#shared/models/attention/tile-costs.ts'
import { ExposedTime, segment, type Segment } from '#shared/models/attention/timeline.ts'
import { chipBarrier } from '#shared/models/collectives/barrier.ts'
import { flitsOf } from '#shared/models/collectives/hardware-collectives.ts'
import {
  allChannels,
  concurrentLoad,
  concurrentStore,
  drainingStore,
  groupsInStep,
  type ConcurrentLoad,
} from '#shared/models/memory/hbm.ts'
import { bytes, type Bytes } from '#shared/units/quantity.ts'

/** Synchronisations of the cores of a tile in one iteration of a FlashAttention kernel. */
export const SYNCS_PER_ITERATION = 8

/**
 * FlashAttention-2 on tiles: every tile works alone, one step after the other.
 *
 * For each row block: load Q, clear O; for each column block: load K, load V, transpose K, clear the
 * scores, multiply, softmax, [rescale O, not in the first], multiply; then divide O and store it.
 *
 * Source: arXiv 2604.02110, Section III; order of the steps from a recorded timeline of the
 *   reference simulator.
 * Checked by: test/published/reference-runs.test.ts
 *
 * @param concurrentTiles tiles that use HBM at the same time
 */
export function flashAttention2(
  shape: KernelShape,
  concurrentTiles: number,
  chip: Chip,
  closed: ClosedRows,
): ExposedTime {
  const { costs, keyLoad, valueLoad, time } = flashSteps(shape, concurrentTiles, chip, closed)
  const { busyRowBlocksPerGroup: rowBlocks, columnBlocksPerGroup: columnBlocks } = shape
  const { softmax } = costs
  time.add(
    [
      segment('hbm', keyLoad, 'load of K'),
      segment('hbm', valueLoad, 'load of V'),
      ...iterationOverhead(shape, chip),
      segment('matrix', costs.scores, 'Q · Kᵀ'),
      segment('matrix', costs.output, 'P · V'),
      segment('vector', softmax.rowMax + softmax.exp + softmax.rowSum, 'softmax'),
    ],
    'per column block',
    columnBlocks,
  )
  time.add(
    [segment('vector', softmax.rescale + 2 * softmax.stateUpdate, 'rescaling of O and updates')],
    'after the first column block of a row block',
    columnBlocks - rowBlocks,
  )
  return time
}

/**
 * FlashAttention-3 on tiles: every tile works alone; the load of V passes under the first matrix
 * operation, the softmax of a block under the second one of the block before.
 *
 * The load of K, its transposition, the clearing and copying of the scores and the rescaling of O
 * stay exposed; so do the first softmax and the last load of V of a row block.
 *
 * Source: as above.
 *
 * @param concurrentTiles tiles that use HBM at the same time
 */
export function flashAttention3(
  shape: KernelShape,
  concurrentTiles: number,
  chip: Chip,
  closed: ClosedRows,
): ExposedTime {
  const { costs, keyLoad, valueLoad, time } = flashSteps(shape, concurrentTiles, chip, closed)
  const { busyRowBlocksPerGroup: rowBlocks, columnBlocksPerGroup: columnBlocks } = shape
  const { softmax } = costs
  const softmaxOfBlock = softmax.rowMax + softmax.exp + softmax.rowSum
  time.add(
    [
      segment('hbm', keyLoad, 'load of K'),
      ...iterationOverhead(shape, chip),
      segment('other', costs.copyScores, 'copy of the scores'),
      segment('matrix', costs.scores, 'Q · Kᵀ'),
      segment('matrix', costs.output, 'P · V'),
    ],
    'per column block',
    columnBlocks,
  )
  time.add(
    [
      segment('hbm', Math.max(0, valueLoad - costs.scores), 'load of V beyond Q · Kᵀ'),
      segment(
        'vector',
        Math.max(0, softmaxOfBlock + 2 * softmax.stateUpdate - costs.output),
        'softmax and updates beyond P · V',
      ),
      segment('vector', softmax.rescale, 'rescaling of O'),
    ],
    'after the first column block of a row block',
    columnBlocks - rowBlocks,
  )
  time.add(
    [segment('vector', softmaxOfBlock, 'softmax'), segment('hbm', valueLoad, 'load of V')],
    'with nothing beside it, per row block',
    rowBlocks,
  )
  return time
}

function flashSteps(shape: KernelShape, concurrentTiles: number, chip: Chip, closed: ClosedRows) {
  const costs = sliceCosts(shape, chip)
  const home = allChannels(chip)
  const { row, column } = loadedSlices(shape)
  const load = (
    size: Bytes,
    { mean, largest }: LoadedSlice,
    closedRows = 1,
    dmaRows = 1,
  ): ConcurrentLoad => ({
    home,
    loaders: groupsInStep(size, concurrentTiles),
    loadersPerLine: 1,
    bytesPerLoader: bytes(size * mean),
    flitsPerLoader: flitsOf(bytes(size * largest), chip),
    meanFlitsPerLoader: flitsOf(bytes(size * mean), chip),
    dmaRows,
    closedRows,
  })
  const time = new ExposedTime()
  time.add([segment('other', 2 * chipBarrier(chip), 'barriers of the chip')], 'start and end')
  const store = { ...load(costs.outputRows, row), loaders: concurrentTiles }
  time.add(
    [
      segment('other', costs.clearOutput, 'clearing of O'),
      segment(
        'hbm',
        shape.busyRowBlocksPerGroup > 0
          ? concurrentStore(store, chip)
          : drainingStore(store, hiddenStore(shape, costs.clearOutput), chip),
        'store of O',
      ),
    ],
    'per row block',
    shape.rowBlocksPerGroup,
  )
  time.add(
    [
      segment('hbm', concurrentLoad(load(costs.query, row, closed.query), chip), 'load of Q'),
      segment('other', (SYNCS_PER_ITERATION / 2) * costs.sync, 'synchronisation of the tile'),
      segment('vector', costs.softmax.divide, 'division of O'),
    ],
    'per row block that has keys',
    shape.busyRowBlocksPerGroup,
  )
  return {
    costs,
    time,
    keyLoad: concurrentLoad(load(costs.key, column, closed.key, keyRows(shape, chip)), chip),
    valueLoad: concurrentLoad(load(costs.value, column, closed.value), chip),
  }
}

/** What an iteration does that is neither memory nor arithmetic. */
function iterationOverhead(shape: KernelShape, chip: Chip): Segment[] {
  const costs = sliceCosts(shape, chip)
  return [
    segment('other', costs.keyTranspose, 'transposition of K'),
    segment('other', costs.clearScores, 'clearing of the scores'),
    segment('other', 2 * costs.launch, 'launches of the matrix engine'),
    segment('other', SYNCS_PER_ITERATION * costs.sync, 'synchronisation of the tile'),
    segment('other', chip.control.dmaLocal, 'copy of the state vectors'),
  ]
}
