import { componentLabels, type BreakdownPart } from '#shared/results/attention-result.ts'
import type { Rejection, TimedMapping } from '#shared/schema/tune-document.ts'
import { formatBytes, formatCount, formatPercent, formatSeconds } from '#shared/units/format.ts'

/** A mapping with what its runtime is made of. */
export interface Timed extends TimedMapping {
  readonly breakdown: readonly BreakdownPart[]
}

/** The kind of reason alone, which is quick. */
export function rejectionCode(candidate: Timed, best: Timed): 'tie' | 'slower' | 'idle-tiles' {
  if (candidate.cycles <= best.cycles) return 'tie'
  return candidate.activeTiles < best.activeTiles ? 'idle-tiles' : 'slower'
}

/**
 * Why a mapping that could run is not the best: the component of the breakdown that costs most more
 * time than in the best, and the tiles that it leaves without work.
 */
export function rejectionOf(candidate: Timed, best: Timed, tileCount: number): Rejection {
  const code = rejectionCode(candidate, best)
  if (code === 'tie') {
    const moreL1 = candidate.l1PeakBytes - best.l1PeakBytes
    return {
      code,
      message:
        moreL1 > 0
          ? `as fast, but takes ${formatBytes(moreL1)} more L1`
          : 'as fast, in no respect better',
    }
  }
  const slower = `${formatPercent(candidate.cycles / best.cycles - 1, 2)} slower: ${cause(candidate, best)}`
  const idle = tileCount - candidate.activeTiles
  return {
    code,
    message:
      code === 'idle-tiles'
        ? `${slower}; leaves ${formatCount(idle, 'tiles')} of ${String(tileCount)} idle`
        : slower,
  }
}

/** Share of the greatest increase from which on a decrease elsewhere is named, too. */
const WORTH_NAMING = 0.25

/** The component with the greatest increase; the components add up, so there is one. */
function cause(candidate: Timed, best: Timed): string {
  const increases = candidate.breakdown.map(({ component, seconds }, index) => ({
    component,
    increase: seconds - (best.breakdown[index]?.seconds ?? 0),
  }))
  const sorted = increases.toSorted((a, b) => b.increase - a.increase)
  const [most, least] = [sorted[0], sorted.at(-1)]
  if (most === undefined || least === undefined) return 'no breakdown'
  const more = `${componentLabels[most.component]} +${formatSeconds(most.increase)}`
  if (-least.increase < WORTH_NAMING * most.increase) return more
  return `${more}, ${componentLabels[least.component]} -${formatSeconds(-least.increase)}`
}
