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
  const { costs } = t
  const { softmax } = costs
  for (const rowBlock of work) {
    yield* t.loadQueryAndClear(rowBlock)
    for (let columnBlock = 0; columnBlock < rowBlock.columnBlocks; columnBlock++) {
      const at = { rowBlock, columnBlock }
      yield* t.loadKey(0, at)
      yield* t.loadValue(0, at)
      yield* t.transposeKey(0)
      yield* t.clearScores(0)
      yield t.after(costs.launch + (SYNCS_PER_ITERATION / 2) * costs.sync)
      yield* t.scores(0)
      yield* t.softmax(0, at)
      if (columnBlock > 0) {
        yield* t.carry(
          0,
          at,
          ['maximum', 'sum', 'output'],
          'rescaling of O and updates',
          softmax.rescale + 2 * softmax.stateUpdate,
        )
      } else {
        t.begin(0)
      }
      yield t.after(costs.launch + (SYNCS_PER_ITERATION / 2) * costs.sync)
      yield* t.multiplyValues(0, 'scores')
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
  const { costs } = t
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
      yield* t.transposeKey(0)
      yield* t.clearScores(0)
      const valueLoaded = isFirst ? undefined : simulator.spawn(t.loadValue(0, before))
      yield t.after(launch)
      yield* t.scores(0)
      if (valueLoaded !== undefined) {
        yield valueLoaded
        yield t.after(launch)
        // Of the block before, whose exponentials were put aside.
        const values = t.startValues(0, 'copy')
        yield* t.softmax(0, at)
        yield* t.carry(0, at, ['maximum', 'sum'], 'updates of m and l', 2 * softmax.stateUpdate)
        yield values.end
        values.done?.()
        yield* t.carry(0, at, ['output'], 'rescaling of O', softmax.rescale)
      } else {
        yield* t.softmax(0, at)
        t.begin(0)
      }
      yield* t.copyScores(0)
      yield t.local('copy of the state vectors', chip.control.dmaLocal)
      t.finishBlock(at)
    }
    if (rowBlock.columnBlocks > 0) {
      yield* t.loadValue(0, { rowBlock, columnBlock: rowBlock.columnBlocks - 1 })
      yield t.after(launch)
      yield* t.multiplyValues(0, 'copy')
    }
    yield* t.divideAndStore(rowBlock)
  }
}
