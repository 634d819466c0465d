import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'
import type { BufferSet } from '#shared/models/event/attention/attention-data.ts'
import type { LatentStep } from '#shared/models/event/latent/latent-operations.ts'
import type { LatentTile } from '#shared/models/event/latent/latent-tile.ts'
import type { Program } from '#shared/models/event/simulator.ts'

function stepsOf(work: readonly RowBlock[], set: BufferSet): LatentStep[] {
  return work.flatMap(rowBlock =>
    Array.from({ length: rowBlock.columnBlocks }, (_, columnBlock) => ({
      set,
      rowBlock,
      columnBlock,
    })),
  )
}

const isFirst = ({ columnBlock }: LatentStep): boolean => columnBlock === 0

const isLast = ({ rowBlock, columnBlock }: LatentStep): boolean =>
  columnBlock === rowBlock.columnBlocks - 1

/**
 * FlatMLA with two sequences, α and β, interleaved on one tile of a group. With n chunks of the latent
 * and one of the rope part a pair of column blocks takes 2·(n + 1) + 2·n phases:
 *
 *   scores of α   ∥ Q and K of the next chunk; first: the last chunk of O of β before
 *   scores of β   ∥ softmax of α, one step beside each of n phases ∥ Q and K, then the first V of α
 *   output of α   ∥ softmax of β ∥ V of the next chunk, then reduction and store of O of α
 *   output of β   ∥ V of the next chunk, or K of the next pair; reduction and store of O
 *
 * A phase lasts until its matrix operation and its chain are done; each chain ends with a barrier of
 * the group. With a single column block the last step of a softmax normalises the scores, with several
 * it rescales O, which is divided when it is finished.
 *
 * Source: arXiv 2604.02110, Section IV; order of the operations from the public kernels, which allow
 *   one column block. The running maximum over several is Tessera's.
 * Checked by: the validation set mla-runs-event-2026
 *
 * @param alpha, beta row blocks of the two sequences, of equal number and shape
 */
export function* latentAsyncProgram(
  t: LatentTile,
  alpha: readonly RowBlock[],
  beta: readonly RowBlock[],
): Program {
  const ofAlpha = stepsOf(alpha, 0)
  const ofBeta = stepsOf(beta, 1)
  let before: LatentStep | undefined
  t.beginCleared(0)
  t.beginCleared(1)
  const [first] = ofAlpha
  if (first !== undefined) {
    yield* t.clearScores(first)
    yield* t.bringKey(first, 0)
    yield* t.barrier()
  }
  for (const [index, a] of ofAlpha.entries()) {
    const b = ofBeta[index] ?? a
    yield* scoresOfFirst(t, a, b, before)
    yield* scoresOfSecond(t, a, b)
    yield* outputOfFirst(t, a, b)
    yield* outputOfSecond(t, a, b, ofAlpha[index + 1])
    t.finishBlock(a, 2)
    before = b
  }
  if (before !== undefined) yield* finish(t, before, t.costs.values.length - 1)
  for (const rowBlock of [...alpha, ...beta]) {
    if (rowBlock.columnBlocks > 0) continue
    for (const chunk of t.costs.values.keys()) yield* t.storeChunk({ set: 0, rowBlock }, chunk)
  }
}

/** A phase: a matrix operation, and beside it a chain that ends with a barrier. */
function* phase(t: LatentTile, matrix: Program, chain: Program): Program {
  const ended = t.spawn(withBarrier(t, chain))
  yield* matrix
  yield ended
}

function* withBarrier(t: LatentTile, chain: Program): Program {
  yield* chain
  yield* t.barrier()
}

function* scoresOfFirst(
  t: LatentTile,
  a: LatentStep,
  b: LatentStep,
  before: LatentStep | undefined,
): Program {
  const { keys, values } = t.costs
  for (const chunk of keys.keys()) {
    yield* phase(t, t.scores(a, chunk), chain(chunk))
  }
  function* chain(chunk: number): Program {
    if (chunk + 1 < keys.length) yield* t.bringKey(a, chunk + 1)
    else yield* t.bringKey(b, 0)
    // Those of β before are in use no more, and these are needed in the next phases.
    if (chunk === 0) yield* t.clearScores(b)
    if (chunk === 0 && before !== undefined) yield* finish(t, before, values.length - 1)
  }
}

function* scoresOfSecond(t: LatentTile, a: LatentStep, b: LatentStep): Program {
  const { keys } = t.costs
  for (const chunk of keys.keys()) {
    const next = chunk + 1 < keys.length ? t.bringKey(b, chunk + 1) : t.bringValue(a, 0)
    yield* phase(t, t.scores(b, chunk), besideSoftmax(t, a, chunk, next))
  }
}

function* outputOfFirst(t: LatentTile, a: LatentStep, b: LatentStep): Program {
  const { values } = t.costs
  for (const chunk of values.keys()) {
    yield* phase(t, t.output(a, chunk), chain(chunk))
  }
  function* chain(chunk: number): Program {
    const next = chunk + 1 < values.length ? t.bringValue(a, chunk + 1) : t.bringValue(b, 0)
    yield* besideSoftmax(t, b, chunk, next)
    if (chunk > 0) yield* finish(t, a, chunk - 1)
  }
}

function* outputOfSecond(
  t: LatentTile,
  a: LatentStep,
  b: LatentStep,
  following: LatentStep | undefined,
): Program {
  const { values } = t.costs
  for (const chunk of values.keys()) {
    yield* phase(t, t.output(b, chunk), chain(chunk))
  }
  function* chain(chunk: number): Program {
    if (chunk + 1 < values.length) yield* t.bringValue(b, chunk + 1)
    else if (following !== undefined) yield* t.bringKey(following, 0)
    if (chunk === 0 && following !== undefined) yield* t.clearScores(a)
    if (chunk === 0) yield* finish(t, a, values.length - 1)
    else yield* finish(t, b, chunk - 1)
  }
}

/** Reduction and store of a chunk of O, once its row block is complete. */
function* finish(t: LatentTile, at: LatentStep, chunk: number): Program {
  if (!isLast(at)) return
  if (keepsMaximum(t)) yield* t.divide(at, chunk)
  yield* t.finishChunk(at, chunk)
}

const keepsMaximum = (t: LatentTile): boolean => t.kernel.shape.innerIterations > 1

/** A quarter of the softmax of a block beside what the next phase needs. */
function* besideSoftmax(t: LatentTile, at: LatentStep, chunk: number, next: Program): Program {
  const brought = t.spawn(next)
  const phases = t.costs.values.length
  const steps = softmaxSteps.filter((_, step) => stepPhase(step, phases) === chunk)
  for (const { vector, state } of steps) {
    yield* vector(t, at)
    if (state === undefined) continue
    yield brought
    yield* t.shareState(at, state)
  }
  yield brought
}

/** The phase beside which a step of the softmax passes. */
const stepPhase = (step: number, phases: number): number =>
  Math.floor((step * phases) / softmaxSteps.length)

interface SoftmaxStep {
  readonly vector: (t: LatentTile, at: LatentStep) => Program
  readonly state?: 'maximum' | 'sum'
}

/** The steps on one vector engine of a tile, each with the state vector that it shares. */
const softmaxSteps: readonly SoftmaxStep[] = [
  { vector: (t, at) => t.rowMaximum(at, t.costs.softmaxOfOneEngine.rowMax), state: 'maximum' },
  { vector: (t, at) => t.exponentials(at, t.costs.softmaxOfOneEngine.exp) },
  { vector: (t, at) => t.rowSums(at, t.costs.softmaxOfOneEngine.rowSum), state: 'sum' },
  { vector: lastStep },
]

function* lastStep(t: LatentTile, at: LatentStep): Program {
  const { softmaxOfOneEngine: softmax } = t.costs
  if (!keepsMaximum(t)) {
    yield* t.normalise(at, softmax.divide)
  } else if (!isFirst(at)) {
    yield* t.vector('update of the factor', softmax.stateUpdate)
    for (const chunk of t.costs.values.keys()) yield* t.rescale(at, chunk)
  }
}
