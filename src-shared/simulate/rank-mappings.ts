import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type {
  DataflowTuning,
  TimedMapping,
  TuneResult,
  UnfitMapping,
} from '#shared/schema/tune-document.ts'
import { rejectionCode, rejectionOf, type Timed } from '#shared/simulate/tune-rejection.ts'

/** What was tried. */
export interface Tried {
  readonly requested: readonly Dataflow[]
  /** What the tiling rule comes to for each dataflow. */
  readonly rule: ReadonlyMap<Dataflow, Timed | UnfitMapping>
  readonly timed: readonly Timed[]
  readonly unfit: readonly UnfitMapping[]
  readonly tiles: number
}

export type Ranking = Omit<TuneResult, 'best'> & { readonly best: Timed }

/**
 * Orders what was tried: the fastest first; of equals the one that takes less L1, then the one that
 * was tried first.
 *
 * @param top how many of the rejected are listed with their reason; all where it is left out
 * @returns undefined where nothing can run
 */
export function rankMappings(tried: Tried, top: number | undefined): Ranking | undefined {
  const sorted = tried.timed.toSorted(
    (a, b) => a.cycles - b.cycles || a.l1PeakBytes - b.l1PeakBytes,
  )
  const [best, ...others] = sorted
  if (best === undefined) return undefined
  const unfit = tried.unfit.toSorted((a, b) => (a.l1Bytes ?? 0) - (b.l1Bytes ?? 0))
  return {
    best,
    dataflows: tried.requested.map(dataflow => tuningOf(dataflow, tried, sorted)),
    searched: tried.timed.length + tried.unfit.length,
    rejected: countsOf(best, others, unfit),
    ranked: others.slice(0, top).map((candidate, index) => ({
      rank: index + 2,
      ...withoutBreakdown(candidate),
      slowdown: candidate.cycles / best.cycles - 1,
      reason: rejectionOf(candidate, best, tried.tiles),
    })),
    unfit: unfit.slice(0, top),
  }
}

function countsOf(
  best: Timed,
  others: readonly Timed[],
  unfit: readonly UnfitMapping[],
): TuneResult['rejected'] {
  const counts = { tie: 0, slower: 0, 'idle-tiles': 0, l1: 0, refused: 0 }
  for (const candidate of others) counts[rejectionCode(candidate, best)] += 1
  for (const { reason } of unfit) counts[reason.code] += 1
  return counts
}

function tuningOf(
  dataflow: Dataflow,
  { rule: rules }: Tried,
  sorted: readonly Timed[],
): DataflowTuning {
  const ofRule = rules.get(dataflow)
  const rule = ofRule !== undefined && 'cycles' in ofRule ? withoutBreakdown(ofRule) : null
  const found = sorted.find(candidate => candidate.dataflow === dataflow)
  const tuned = found === undefined ? null : withoutBreakdown(found)
  const gain = rule === null || tuned === null ? null : rule.cycles / tuned.cycles - 1
  return { dataflow, rule, tuned, gain }
}

const withoutBreakdown = (candidate: Timed): TimedMapping => ({
  dataflow: candidate.dataflow,
  mapping: candidate.mapping,
  cycles: candidate.cycles,
  seconds: candidate.seconds,
  matrixUtilization: candidate.matrixUtilization,
  l1PeakBytes: candidate.l1PeakBytes,
  activeTiles: candidate.activeTiles,
})
