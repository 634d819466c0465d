import type { BlockPosition, BufferSet } from '#shared/models/event/attention/attention-data.ts'
import type { AttentionTile } from '#shared/models/event/attention/attention-tiles.ts'
import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'
import { L1_CONTENTION_PER_PHASE_CYCLES } from '#shared/models/constants.ts'
import type { Program } from '#shared/models/event/simulator.ts'

/** One step of one of the two heads: a column block of a row block. */
interface Step extends BlockPosition {
  readonly isFirst: boolean
  readonly isLast: boolean
}

function stepsOf(work: readonly RowBlock[]): Step[] {
  return work.flatMap(rowBlock =>
    Array.from({ length: rowBlock.columnBlocks }, (_, columnBlock) => ({
      rowBlock,
      columnBlock,
      isFirst: columnBlock === 0,
      isLast: columnBlock === rowBlock.columnBlocks - 1,
    })),
  )
}

/**
 * FlatAsync on one tile of a group: two heads, α and β, take turns on the matrix engine, and beside
 * each of its operations runs a chain of what the other head needs.
 *
 *   output of α (n−1)   ∥ finish O of β (n−2), load Q of β (n), row maxima of β (n−1)
 *   scores of α (n)     ∥ exponentials of β (n−1) ∥ load K of β (n) and V of β (n−1)
 *   output of β (n−1)   ∥ finish O of α (n−1), load Q of α (n+1), row maxima of α (n)
 *   scores of β (n)     ∥ exponentials of α (n) ∥ load K of α (n+1) and V of α (n)
 *
 * Source: arXiv 2604.02110, Fig. 4; order of the operations from recorded timelines of the reference
 *   simulator (4 × 4 and 8 × 8 tiles).
 *
 * @param alpha, beta row blocks of the two heads, of equal number and shape
 */
export function* flatAsyncProgram(
  t: AttentionTile,
  alpha: readonly RowBlock[],
  beta: readonly RowBlock[],
): Program {
  const { costs } = t
  const heads = [stepsOf(alpha), stepsOf(beta)] as const
  const count = heads[0].length
  const step = (set: BufferSet, index: number) => heads[set][index]

  const cleared = ([0, 1] as const).map(set => t.data?.clearOutput(t.tile, set))
  yield t.local('clearing of O', 2 * costs.clearOutput)
  for (const done of cleared) done?.()
  yield* loadQuery(t, 0, step(0, 0))
  yield* loadKey(t, 0, step(0, 0))
  yield t.barrier()
  yield* loadQuery(t, 1, step(1, 0))
  yield t.barrier()
  t.data?.clearScores(t.tile, 1)()
  yield* t.clearScores(0)

  for (let n = 0; n < count + 2; n++) {
    if (n > 0) yield t.barrier()
    yield* outputPhase(t, 0, step(0, n - 1), 1, {
      finished: step(1, n - 2),
      next: n > 0 ? step(1, n) : undefined,
      scored: step(1, n - 1),
    })
    yield* scoresPhase(t, 0, step(0, n), 1, { scored: step(1, n - 1), next: step(1, n) })
    yield* outputPhase(t, 1, step(1, n - 1), 0, {
      finished: step(0, n - 1),
      next: step(0, n + 1),
      scored: step(0, n),
    })
    yield* scoresPhase(t, 1, step(1, n), 0, { scored: step(0, n), next: step(0, n + 1) })
  }
  for (const rowBlock of [...alpha, ...beta]) {
    if (rowBlock.columnBlocks === 0 && t.isRowLoader) yield* t.storeOutput(0, rowBlock)
  }
}

/** The matrix engine computes the output of one head, the rest serves the other. */
function* outputPhase(
  t: AttentionTile,
  own: BufferSet,
  output: Step | undefined,
  other: BufferSet,
  rest: {
    readonly finished: Step | undefined
    readonly next: Step | undefined
    readonly scored: Step | undefined
  },
): Program {
  const { simulator } = t.kernel.machine
  const finished = rest.finished?.isLast === true ? rest.finished : undefined
  const next = rest.next?.isFirst === true ? rest.next : undefined
  if (output === undefined && finished === undefined && rest.scored === undefined) return
  const chain = simulator.spawn(outputChain(t, other, finished, next, rest.scored))
  if (output !== undefined) {
    yield* launch(t)
    yield* t.multiplyValues(own, 'scores', L1_CONTENTION_PER_PHASE_CYCLES)
    t.finishBlock(output)
  }
  yield chain
  yield* t.clearScores(own)
}

function* outputChain(
  t: AttentionTile,
  set: BufferSet,
  finished: Step | undefined,
  next: Step | undefined,
  scored: Step | undefined,
): Program {
  const { simulator } = t.kernel.machine
  if (finished !== undefined) yield* t.reduceOutput(set)
  yield t.barrier()
  const divided = finished === undefined ? undefined : simulator.spawn(divide(t, set))
  yield* loadQuery(t, set, next)
  if (divided !== undefined) yield divided
  const stored =
    finished === undefined ? undefined : simulator.spawn(storeAndClear(t, set, finished))
  if (scored !== undefined) yield* t.rowMaximum(set, scored)
  if (stored !== undefined) yield stored
  if (scored === undefined) return
  yield* t.shareState(set, 'maximum')
  const { stateUpdate } = t.costs.softmax
  yield* t.carry(set, scored, ['maximum'], 'update of the row maxima', stateUpdate)
}

/** The matrix engine computes the scores of one head, the rest serves the other. */
function* scoresPhase(
  t: AttentionTile,
  own: BufferSet,
  scores: Step | undefined,
  other: BufferSet,
  rest: { readonly scored: Step | undefined; readonly next: Step | undefined },
): Program {
  const { scored, next } = rest
  if (scores === undefined && scored === undefined && next === undefined) return
  const { simulator } = t.kernel.machine
  const chain = simulator.spawn(scoresChain(t, other, scored, next))
  if (scores !== undefined) {
    yield* launch(t)
    yield* t.scores(own, L1_CONTENTION_PER_PHASE_CYCLES)
  }
  yield chain
}

function* scoresChain(
  t: AttentionTile,
  set: BufferSet,
  scored: Step | undefined,
  next: Step | undefined,
): Program {
  const { simulator, chip } = t.kernel.machine
  const loaded = simulator.spawn(loadKeyAndValue(t, set, next, scored))
  if (scored !== undefined) {
    const { rescale, stateUpdate } = t.costs.softmax
    yield* t.exponentials(set)
    yield loaded
    // The barriers around the row sums keep the tiles from V until its multicast has ended. In a
    // group of a single column there are none.
    if (t.sharesColumn && !t.sharesRow) yield t.barrier()
    yield* t.shareState(set, 'sum')
    yield* t.carry(set, scored, ['sum'], 'update of the row sums', stateUpdate)
    if (!scored.isFirst) {
      const swapped = set === 1 && chip.artefacts.rescaleDimensionsSwapped
      const cycles = swapped ? t.swappedRescale : rescale
      yield* t.carry(set, scored, ['output'], 'rescaling of O', cycles)
    }
  }
  yield loaded
}

function* launch(t: AttentionTile): Program {
  yield t.after(t.costs.launch + 2 * t.costs.sync)
}

function* loadQuery(t: AttentionTile, set: BufferSet, step: Step | undefined): Program {
  if (step === undefined || !t.isRowLoader) return
  yield* t.loadQuery(set, step.rowBlock)
  yield* t.multicastQuery(set)
}

function* loadKey(t: AttentionTile, set: BufferSet, step: Step | undefined): Program {
  if (step === undefined || !t.isColumnLoader) return
  yield* t.loadKey(set, step)
  yield* t.transposeKey(set)
  yield* t.multicastColumn(set, ['key'])
}

/** K of the next block and V of this one: loads one after the other, then both multicasts. */
function* loadKeyAndValue(
  t: AttentionTile,
  set: BufferSet,
  next: Step | undefined,
  scored: Step | undefined,
): Program {
  if (!t.isColumnLoader) return
  if (next !== undefined) {
    yield* t.loadKey(set, next)
    yield* t.transposeKey(set)
  }
  if (scored !== undefined) yield* t.loadValue(set, scored)
  if (next !== undefined) yield* t.multicastColumn(set, ['key'])
  if (scored !== undefined) yield* t.multicastColumn(set, ['value'])
}

function* divide(t: AttentionTile, set: BufferSet): Program {
  if (!t.isRowLoader) return
  yield* t.divide(set)
}

function* storeAndClear(t: AttentionTile, set: BufferSet, step: Step): Program {
  if (t.isRowLoader) yield* t.storeOutput(set, step.rowBlock)
  yield* t.clearOutput(set, t.costs.clearOutput + t.kernel.machine.chip.control.dmaLocal)
}
