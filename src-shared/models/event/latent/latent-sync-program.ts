import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'
import type { LatentStep } from '#shared/models/event/latent/latent-operations.ts'
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
  let unfinished: LatentStep | undefined
  t.beginCleared(0)
  for (const rowBlock of work) {
    if (rowBlock.columnBlocks === 0) {
      if (unfinished !== undefined) yield* finishAll(t, unfinished)
      unfinished = undefined
      for (const chunk of t.costs.values.keys()) yield* t.storeChunk({ set: 0, rowBlock }, chunk)
      continue
    }
    if (t.kernel.keepsWholeQuery) yield* t.loadWholeQuery(rowBlock)
    for (let columnBlock = 0; columnBlock < rowBlock.columnBlocks; columnBlock++) {
      const at = { set: 0, rowBlock, columnBlock } as const
      yield* scoresOfBlock(t, at, unfinished)
      unfinished = undefined
      yield* softmaxOfBlock(t, at)
      yield* outputOfBlock(t, at)
      t.finishBlock(at)
    }
    yield* mergePartials(t)
    unfinished = { set: 0, rowBlock, columnBlock: rowBlock.columnBlocks - 1 }
  }
  if (unfinished !== undefined) yield* finishAll(t, unfinished)
}

function* finishAll(t: LatentTile, at: LatentStep): Program {
  for (const chunk of t.costs.values.keys()) yield* t.finishChunk(at, chunk)
}

function* scoresOfBlock(t: LatentTile, at: LatentStep, unfinished?: LatentStep): Program {
  const { keys, values } = t.costs
  yield* t.clearScores(at)
  yield* t.bringKey(at, 0)
  yield* t.barrier()
  for (const chunk of keys.keys()) {
    const chain = t.spawn(scoresChain(chunk))
    yield* t.scores(at, chunk)
    yield chain
  }
  function* scoresChain(chunk: number): Program {
    if (unfinished !== undefined && chunk < values.length) yield* t.finishChunk(unfinished, chunk)
    if (chunk + 1 < keys.length) yield* t.bringKey(at, chunk + 1)
    else yield* t.bringValue(at, 0)
    yield* t.barrier()
  }
}

/** Maxima, exponentials and sums on all vector engines. */
function* softmaxOfBlock(t: LatentTile, at: LatentStep): Program {
  const { softmax } = t.costs
  yield* t.rowMaximum(at, softmax.rowMax)
  yield* t.shareState(at, 'maximum')
  yield* t.exponentials(at, softmax.exp)
  yield* t.rowSums(at, softmax.rowSum)
  yield* t.shareState(at, 'sum')
  if (at.columnBlock === 0) return
  yield* t.vector('update of the factor', softmax.stateUpdate)
  yield* t.rescale(at, 0)
}

function* outputOfBlock(t: LatentTile, at: LatentStep): Program {
  const { values } = t.costs
  const isLast = at.columnBlock === at.rowBlock.columnBlocks - 1
  for (const chunk of values.keys()) {
    const chain = t.spawn(outputChain(t, at, chunk, isLast))
    yield* t.output(at, chunk)
    yield chain
  }
  if (isLast) yield* t.divide(at, values.length - 1)
}

function* outputChain(t: LatentTile, at: LatentStep, chunk: number, isLast: boolean): Program {
  const scaled = t.spawn(scaleOutput(t, at, chunk, isLast))
  if (chunk + 1 < t.costs.values.length) yield* t.bringValue(at, chunk + 1)
  yield scaled
  yield* t.barrier()
}

/** Division of the chunk that is complete, rescaling of the one that comes next. */
function* scaleOutput(t: LatentTile, at: LatentStep, chunk: number, isLast: boolean): Program {
  const hasNext = chunk + 1 < t.costs.values.length
  if (isLast && chunk > 0) yield* t.divide(at, chunk - 1)
  if (at.columnBlock > 0 && hasNext) yield* t.rescale(at, chunk + 1)
}
