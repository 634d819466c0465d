import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'
import type { BlockPosition } from '#shared/models/event/attention/attention-data.ts'
import type { LatentTile } from '#shared/models/event/latent/latent-tile.ts'
import { mergePartials } from '#shared/models/event/latent/merge-program.ts'
import type { Program } from '#shared/models/event/simulator.ts'

/**
 * Absorbed MLA with one sequence at a time on one tile: FlatMLA, and FlashMLA on tiles that share
 * nothing.
 *
 *   scores, chunk by chunk   ∥ O of the row block before ∥ Q and K of the next chunk, then V
 *   softmax                  alone
 *   output, chunk by chunk   ∥ V of the next chunk ∥ O rescaled a chunk ahead, divided one behind
 *
 * Each chain beside a matrix operation ends with a barrier of the group.
 *
 * Source: arXiv 2604.02110, Section IV; order of the operations from the public kernels.
 * Checked by: the validation set mla-runs-event-2026
 */
export function* latentSyncProgram(t: LatentTile, work: readonly RowBlock[]): Program {
  let unfinished: RowBlock | undefined
  for (const rowBlock of work) {
    if (rowBlock.columnBlocks === 0) {
      for (const chunk of t.costs.values.keys()) yield* t.storeChunk(rowBlock, chunk)
      continue
    }
    if (t.kernel.keepsWholeQuery) yield* t.loadWholeQuery(rowBlock)
    for (let columnBlock = 0; columnBlock < rowBlock.columnBlocks; columnBlock++) {
      const at = { rowBlock, columnBlock }
      yield* scoresOfBlock(t, at, unfinished)
      unfinished = undefined
      yield* softmaxOfBlock(t, at)
      yield* outputOfBlock(t, at)
      t.finishBlock(at)
    }
    yield* mergePartials(t)
    unfinished = rowBlock
  }
  if (unfinished === undefined) return
  for (const chunk of t.costs.values.keys()) yield* t.finishChunk(unfinished, chunk)
}

function* scoresOfBlock(
  t: LatentTile,
  at: BlockPosition,
  unfinished: RowBlock | undefined,
): Program {
  const { keys, values } = t.costs
  yield* t.bringKey(at, 0)
  yield* t.barrier()
  for (const chunk of keys.keys()) {
    const chain = t.spawn(scoresChain(t, at, chunk, unfinished))
    yield* t.scores(chunk)
    yield chain
  }
  function* scoresChain(
    t: LatentTile,
    at: BlockPosition,
    chunk: number,
    unfinished: RowBlock | undefined,
  ): Program {
    if (unfinished !== undefined && chunk < values.length) yield* t.finishChunk(unfinished, chunk)
    if (chunk + 1 < keys.length) yield* t.bringKey(at, chunk + 1)
    else yield* t.bringValue(at, 0)
    yield* t.barrier()
  }
}

/** Maxima, exponentials and sums on all vector engines. */
function* softmaxOfBlock(t: LatentTile, at: BlockPosition): Program {
  const { softmax, slice } = t.costs
  yield* t.vector('row maxima', softmax.rowMax)
  yield* t.shareState('maxima')
  yield* t.vector('exponentials and row sums', softmax.exp + softmax.rowSum)
  yield* t.shareState('sums')
  yield* t.local('clearing of the scores', slice.clearScores)
  if (at.columnBlock === 0) return
  yield* t.vector('update of the factor', softmax.stateUpdate)
  yield* t.rescale(0)
}

function* outputOfBlock(t: LatentTile, at: BlockPosition): Program {
  const { values } = t.costs
  const isFirst = at.columnBlock === 0
  const isLast = at.columnBlock === at.rowBlock.columnBlocks - 1
  for (const chunk of values.keys()) {
    const chain = t.spawn(outputChain(t, at, chunk, { isFirst, isLast }))
    yield* t.output(chunk)
    yield chain
  }
  if (isLast) yield* t.divide(values.length - 1)
}

function* outputChain(
  t: LatentTile,
  at: BlockPosition,
  chunk: number,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): Program {
  const hasNext = chunk + 1 < t.costs.values.length
  const scaled = t.spawn(scaleOutput(t, chunk, isFirst || !hasNext, isLast))
  if (hasNext) yield* t.bringValue(at, chunk + 1)
  yield scaled
  yield* t.barrier()
}

/** Division of the chunk that is complete, rescaling of the one that comes next. */
function* scaleOutput(t: LatentTile, chunk: number, keepsNext: boolean, isLast: boolean): Program {
  if (isLast && chunk > 0) yield* t.divide(chunk - 1)
  if (!keepsNext) yield* t.rescale(chunk + 1)
}
