import type { Chip } from '#shared/hardware/chip.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { sliceCosts } from '#shared/models/attention/tile-costs.ts'
import { ExposedTime, segment } from '#shared/models/attention/timeline.ts'
import { chipBarrier } from '#shared/models/collectives/barrier.ts'
import {
  allChannels,
  concurrentLoad,
  concurrentStore,
  type ConcurrentLoad,
} from '#shared/models/memory/hbm.ts'
import type { Bytes } from '#shared/units/quantity.ts'

/** Synchronisations of the cores of a tile in one iteration of a FlashAttention kernel. */
const SYNCS_PER_ITERATION = 8

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
): ExposedTime {
  const { costs, load, time } = flashSteps(shape, concurrentTiles, chip)
  const { busyRowBlocksPerGroup: rowBlocks, columnBlocksPerGroup: columnBlocks } = shape
  const { softmax } = costs
  time.add(
    [
      segment('hbm', 2 * load),
      segment('other', iterationOverhead(shape, chip)),
      segment('matrix', costs.scores + costs.output),
      segment('vector', softmax.rowMax + softmax.exp + softmax.rowSum),
    ],
    columnBlocks,
  )
  time.add([segment('vector', softmax.rescale + 2 * softmax.stateUpdate)], columnBlocks - rowBlocks)
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
): ExposedTime {
  const { costs, load, time } = flashSteps(shape, concurrentTiles, chip)
  const { busyRowBlocksPerGroup: rowBlocks, columnBlocksPerGroup: columnBlocks } = shape
  const { softmax } = costs
  const softmaxOfBlock = softmax.rowMax + softmax.exp + softmax.rowSum
  time.add(
    [
      segment('hbm', load),
      segment('other', iterationOverhead(shape, chip) + costs.copyScores),
      segment('matrix', costs.scores + costs.output),
    ],
    columnBlocks,
  )
  time.add(
    [
      segment('hbm', Math.max(0, load - costs.scores)),
      segment(
        'vector',
        Math.max(0, softmaxOfBlock + 2 * softmax.stateUpdate - costs.output) + softmax.rescale,
      ),
    ],
    columnBlocks - rowBlocks,
  )
  time.add([segment('vector', softmaxOfBlock), segment('hbm', load)], rowBlocks)
  return time
}

function flashSteps(shape: KernelShape, concurrentTiles: number, chip: Chip) {
  const costs = sliceCosts(shape, chip)
  const home = allChannels(chip)
  const lines = home.axis === 'row' ? chip.tiles.y : chip.tiles.x
  const load = (size: Bytes): ConcurrentLoad => ({
    home,
    loaders: concurrentTiles,
    loadersPerLine: Math.ceil(concurrentTiles / lines),
    bytesPerLoader: size,
  })
  const time = new ExposedTime()
  time.add([segment('other', 2 * chipBarrier(chip))])
  time.add(
    [
      segment('other', costs.clearOutput + (SYNCS_PER_ITERATION / 2) * costs.sync),
      segment('hbm', concurrentStore(load(costs.rowOperand), chip)),
    ],
    shape.rowBlocksPerGroup,
  )
  time.add(
    [
      segment('hbm', concurrentLoad(load(costs.rowOperand), chip)),
      segment('vector', costs.softmax.divide),
    ],
    shape.busyRowBlocksPerGroup,
  )
  return { costs, load: concurrentLoad(load(costs.columnOperand), chip), time }
}

/** Cycles of an iteration that are neither memory nor arithmetic. */
function iterationOverhead(shape: KernelShape, chip: Chip): number {
  const costs = sliceCosts(shape, chip)
  return (
    costs.keyTranspose +
    costs.clearScores +
    2 * costs.launch +
    SYNCS_PER_ITERATION * costs.sync +
    chip.control.dmaLocal // carries the state vectors over
  )
}
