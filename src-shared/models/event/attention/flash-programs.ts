import { SYNCS_PER_ITERATION } from '#shared/models/attention/flash.ts'
import type { AttentionTile } from '#shared/models/event/attention/attention-tiles.ts'
import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'
import type { Program } from '#shared/models/event/simulator.ts'

/**
 * FlashAttention-2 on one tile: every operation waits for the one before.
 *
 * Source: arXiv 2604.02110, Section III; order of the steps from a recorded timeline of the
 *   reference simulator.
 */
export function* flashAttention2Program(t: AttentionTile, work: readonly RowBlock[]): Program {
  const { costs, data, tile } = t
  const { softmax } = costs
  for (const rowBlock of work) {
    yield* t.loadQueryAndClear(rowBlock)
    for (let columnBlock = 0; columnBlock < rowBlock.columnBlocks; columnBlock++) {
      const at = { rowBlock, columnBlock }
      yield* t.loadKey(0, at)
      yield* t.loadValue(0, at)
      yield* t.transposeKey()
      yield t.local('clearing of the scores', costs.clearScores)
      yield t.after(costs.launch + (SYNCS_PER_ITERATION / 2) * costs.sync)
      yield t.matrix('Q · Kᵀ', costs.scores)
      data?.scores(tile, 0, at)
      yield* t.softmax(0)
      if (columnBlock > 0) {
        yield t.vector('rescaling of O and updates', softmax.rescale + 2 * softmax.stateUpdate)
      }
      data?.updateSum(tile, 0)
      data?.rescale(tile, 0)
      yield t.after(costs.launch + (SYNCS_PER_ITERATION / 2) * costs.sync)
      yield t.matrix('P · V', costs.output)
      data?.multiplyValues(tile, 0)
      yield t.local('copy of the state vectors', t.kernel.machine.chip.control.dmaLocal)
      t.finishBlock(at)
    }
    yield* t.divideAndStore(rowBlock)
  }
}

/**
 * FlashAttention-3 on one tile: V is loaded under the scores, the softmax of a block passes under
 * the output of the block before.
 *
 * Source: as above.
 */
export function* flashAttention3Program(t: AttentionTile, work: readonly RowBlock[]): Program {
  const { costs, data, tile } = t
  const { softmax } = costs
  const { simulator, chip } = t.kernel.machine
  const launch = costs.launch + (SYNCS_PER_ITERATION / 2) * costs.sync
  for (const rowBlock of work) {
    yield* t.loadQueryAndClear(rowBlock)
    for (let columnBlock = 0; columnBlock < rowBlock.columnBlocks; columnBlock++) {
      const at = { rowBlock, columnBlock }
      const before = { rowBlock, columnBlock: columnBlock - 1 }
      const isFirst = columnBlock === 0
      yield* t.loadKey(0, at)
      yield* t.transposeKey()
      yield t.local('clearing of the scores', costs.clearScores)
      const valueLoaded = isFirst ? undefined : simulator.spawn(t.loadValue(0, before))
      yield t.after(launch)
      yield t.matrix('Q · Kᵀ', costs.scores)
      if (valueLoaded !== undefined) {
        yield valueLoaded
        // The scores stay beside the exponentials of the block before until those are used.
        yield t.after(launch)
        const multiplied = t.matrix('P · V', costs.output)
        data?.multiplyValues(tile, 0)
        data?.scores(tile, 0, at)
        yield* t.softmax(0)
        yield t.vector('updates of m and l', 2 * softmax.stateUpdate)
        yield multiplied
        yield t.vector('rescaling of O', softmax.rescale)
        data?.updateSum(tile, 0)
        data?.rescale(tile, 0)
      } else {
        data?.scores(tile, 0, at)
        yield* t.softmax(0)
        data?.updateSum(tile, 0)
        data?.rescale(tile, 0)
      }
      yield t.local('copy of the scores', costs.copyScores)
      yield t.local('copy of the state vectors', chip.control.dmaLocal)
      t.finishBlock(at)
    }
    if (rowBlock.columnBlocks > 0) {
      yield* t.loadValue(0, { rowBlock, columnBlock: rowBlock.columnBlocks - 1 })
      yield t.after(launch)
      yield t.matrix('P · V', costs.output)
      data?.multiplyValues(tile, 0)
    }
    yield* t.divideAndStore(rowBlock)
  }
}
