import { dataflows, isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { DataflowChange, DataflowCrossover } from '#shared/schema/attention-document.ts'
import type { Simulation } from '#shared/simulate/simulation.ts'
import type { AttentionWorkload } from '#shared/workload/attention.ts'

const shortest = 2 ** 4
const longest = 2 ** 20

/**
 * Finds the lengths at which another dataflow becomes the fastest, all else being equal: along the
 * sequence length in a square prefill, else along the KV length.
 *
 * All powers of two from 16 to 1,048,576 tokens (and one beyond the length itself) are tried; where
 * two neighbours differ, the length of the change is bisected to one token.
 *
 * Holds when: a dataflow that has been overtaken stays behind until the next power of two. Ragged
 * lengths can break this for some tokens around a change; the tried powers themselves are exact.
 *
 * @param fastest of a workload; undefined where no dataflow can run it
 */
export function* findCrossover(
  workload: AttentionWorkload,
  fastest: (workload: AttentionWorkload) => Dataflow | undefined,
): Simulation<DataflowCrossover> {
  const isSquare = workload.phase === 'prefill' && workload.queryLength === workload.kvLength
  const at = (length: number): Dataflow | undefined =>
    fastest({ ...workload, kvLength: length, ...(isSquare ? { queryLength: length } : {}) })
  const from = Math.min(shortest, 2 ** Math.floor(Math.log2(Math.max(1, workload.kvLength))))
  const to = Math.max(longest, 2 ** Math.ceil(Math.log2(Math.max(1, workload.kvLength))))
  const total = Math.log2(to / from)

  const changes: DataflowChange[] = []
  let before = at(from)
  for (let low = from; low < to; low *= 2) {
    yield { phase: 'crossover', done: Math.log2(low / from), total }
    const after = at(2 * low)
    changes.push(...changesBetween({ length: low, fastest: before }, 2 * low, after, at))
    before = after
  }
  return {
    axis: isSquare ? 'sequenceLength' : 'kvLength',
    from,
    to,
    changes,
    length: nearestSwap(changes, workload.kvLength),
  }
}

/** The changes in (start, high], on the way from the fastest at its start to that at its end. */
function changesBetween(
  start: { readonly length: number; readonly fastest: Dataflow | undefined },
  high: number,
  goal: Dataflow | undefined,
  at: (length: number) => Dataflow | undefined,
): DataflowChange[] {
  const changes: DataflowChange[] = []
  let { length, fastest } = start
  // More detours than there are dataflows are the noise of ragged lengths.
  for (let detour = 0; fastest !== goal && detour < dataflows.length; detour += 1) {
    let low = length
    let next = high
    while (next - low > 1) {
      const middle = Math.floor((low + next) / 2)
      if (at(middle) === fastest) low = middle
      else next = middle
    }
    const after = at(next)
    if (fastest !== undefined && after !== undefined) {
      changes.push({ length: next, before: fastest, after })
    }
    length = next
    fastest = after
  }
  return changes
}

/** Of the changes between a Flash and a Flat dataflow, the one nearest by ratio. */
function nearestSwap(changes: readonly DataflowChange[], length: number): number | null {
  const distance = (change: DataflowChange) =>
    Math.abs(Math.log(change.length / Math.max(1, length)))
  const swaps = changes
    .filter(({ before, after }) => isFlash(before) !== isFlash(after))
    .toSorted((a, b) => distance(a) - distance(b))
  return swaps[0]?.length ?? null
}
