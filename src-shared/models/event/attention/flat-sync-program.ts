import type { AttentionTile } from '#shared/models/event/attention/attention-tiles.ts'
import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'
import type { Program } from '#shared/models/event/simulator.ts'

/**
 * FlatAttention with one head at a time (FlatSC, FlatTC, FlatHC) on one tile of a group: every
 * operation waits for the one before, and barriers of the group stand around the collectives.
 *
 * Source: arXiv 2604.02110, Section IV; order of the steps as in the public kernels.
 */
export function* flatSyncProgram(t: AttentionTile, work: readonly RowBlock[]): Program {
  const { costs } = t
  const { softmax } = costs
  const { dmaLocal } = t.kernel.machine.chip.control
  for (const rowBlock of work) {
    yield* t.clearOutput(0)
    for (let columnBlock = 0; columnBlock < rowBlock.columnBlocks; columnBlock++) {
      const at = { rowBlock, columnBlock }
      yield* t.clearScores(0)
      yield t.local('copies of the state vectors', 2 * dmaLocal)
      if (columnBlock === 0 && t.isRowLoader) yield* t.loadQuery(0, rowBlock)
      if (t.isColumnLoader) {
        yield* t.loadBoth(0, at)
        yield* t.transposeKey(0)
      }
      if (columnBlock === 0 && t.sharesRow) {
        yield t.barrier()
        yield* t.multicastQuery(0)
        yield t.barrier()
      }
      if (t.sharesColumn) {
        yield t.barrier()
        yield* t.multicastColumn(0, ['value', 'key'])
        yield t.barrier()
      }
      yield t.after(costs.launch + 3 * costs.sync)
      yield* t.scores(0)
      yield* t.rowMaximum(0, at)
      yield* t.shareState(0, 'maximum')
      yield* t.exponentials(0)
      yield* t.shareState(0, 'sum')
      if (columnBlock > 0) {
        yield* t.carry(
          0,
          at,
          ['maximum', 'sum', 'output'],
          'rescaling of O and updates',
          2 * softmax.stateUpdate + softmax.rescale,
        )
      } else {
        t.begin(0)
      }
      yield t.after(costs.launch + 3 * costs.sync)
      yield* t.multiplyValues(0, 'scores')
      t.finishBlock(at)
    }
    if (rowBlock.columnBlocks > 0) {
      yield* t.divide(0)
      if (t.sharesRow) {
        yield t.barrier()
        yield* t.reduceOutput(0)
        yield t.barrier()
      }
    }
    if (t.isRowLoader) yield* t.storeOutput(0, rowBlock)
    yield t.after(dmaLocal + 2 * costs.sync)
  }
}
