import type { EventActivity } from '#shared/results/event-activity.ts'
import { packTimeline, type PackedTimeline } from '#shared/results/packed-timeline.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { simulateAttention } from '#shared/simulate/run-attention.ts'
import type { Simulation } from '#shared/simulate/simulation.ts'

/**
 * A run, and apart from it what links, channels and tiles did over time where the event engine ran.
 *
 * @throws InfeasibleError where the mapping does not fit the chip
 */
export function* simulateWithActivity(
  input: AttentionInput,
): Simulation<{ readonly document: AttentionDocument; readonly activity?: EventActivity }> {
  const { document } = yield* simulateAttention(input, { activity: true })
  if (document.event?.activity === undefined) return { document }
  const { activity, ...event } = document.event
  return { document: { ...document, event }, activity }
}

/**
 * The operations of some tiles. The event engine does the same each time, so that they need not be
 * kept.
 *
 * @param tiles by their index, row by row from the south-west corner
 * @throws InfeasibleError where the mapping does not fit the chip
 */
export function* simulateTimeline(
  input: AttentionInput,
  tiles: readonly number[],
): Simulation<PackedTimeline> {
  const { timeline } = yield* simulateAttention(input, { timelineTiles: tiles })
  return packTimeline(timeline)
}
