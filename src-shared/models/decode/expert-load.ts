import {
  loadBalancedPlacement,
  roundRobinPlacement,
  type ExpertPlacement,
} from '#shared/models/wafer/expert-placement.ts'
import { assignTokens } from '#shared/models/wafer/expert-traffic.ts'
import {
  expertTokens,
  routeTokens,
  type ExpertChoice,
  type TokenRouting,
} from '#shared/models/wafer/token-routing.ts'
import type { ExpertRows } from '#shared/workload/decode-kernels.ts'

/** Where the experts of a layer are, and how many rows each has to compute. */
export interface ExpertLoad {
  readonly placement: ExpertPlacement
  /** For each chip of the group, the rows of its experts; equal ones together, the most first. */
  readonly members: readonly (readonly ExpertRows[])[]
  /** Experts of the whole group with at least one row. */
  readonly activeExperts: number
}

export interface ExpertLoadRequest extends ExpertChoice {
  readonly routing: TokenRouting
  readonly tokensPerChip: number
  /** Chips that share the experts. */
  readonly chips: number
  readonly redundantExperts: number
}

/**
 * Rows of every expert on every chip of a group.
 *
 * With balanced routing expert e gets ⌊N/E⌋ rows and one more if e < N mod E, of N = chips · tokens ·
 * topK; so with few tokens only N experts work, and with many all have as much.
 *
 * Source: counting the routed tokens; see routeTokens.
 * Checked by: test/src-shared/models/decode/expert-load.test.ts
 */
export function expertLoad(request: ExpertLoadRequest): ExpertLoad {
  const { experts, topK, routing, tokensPerChip, chips, redundantExperts } = request
  if (routing.pattern === 'balanced' && redundantExperts === 0) {
    const slots = chips * tokensPerChip * topK
    const rows = Array.from(
      { length: experts },
      (_, expert) => Math.floor(slots / experts) + (expert < slots % experts ? 1 : 0),
    )
    const members = Array.from({ length: chips }, (_, member) =>
      grouped(rows.filter((_rows, expert) => expert % chips === member)),
    )
    return {
      placement: roundRobinPlacement(experts, chips),
      members,
      activeExperts: Math.min(experts, slots),
    }
  }
  const routed = routeTokens(routing, request, tokensPerChip * chips)
  const perExpert = expertTokens(routed)
  const placement =
    redundantExperts === 0
      ? roundRobinPlacement(experts, chips)
      : loadBalancedPlacement(perExpert, chips, redundantExperts)
  const { computedBy } = assignTokens(routed, placement)
  const rows = Array.from({ length: chips }, () => new Map<number, number>())
  for (const [index, member] of computedBy.entries()) {
    const counts = rows[member]
    const expert = routed.chosen[index] ?? 0
    counts?.set(expert, (counts.get(expert) ?? 0) + 1)
  }
  return {
    placement,
    members: rows.map(counts => grouped([...counts.values()])),
    activeExperts: perExpert.filter(count => count > 0).length,
  }
}

function grouped(rows: readonly number[]): ExpertRows[] {
  const counts = new Map<number, number>()
  for (const count of rows) {
    if (count > 0) counts.set(count, (counts.get(count) ?? 0) + 1)
  }
  return [...counts]
    .map(([count, experts]) => ({ rows: count, experts }))
    .toSorted((a, b) => b.rows - a.rows)
}
