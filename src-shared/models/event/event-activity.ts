import type { TileMachine } from '#shared/models/event/tile-machine.ts'
import type { TimeBins } from '#shared/models/event/time-bins.ts'
import type { EventActivity } from '#shared/results/event-activity.ts'

/** Intervals of time, at most. */
const MOST_BINS = 64

/** Values of all links together, at most: those of 32 × 32 tiles in 64 intervals. */
const MOST_LINK_VALUES = 5 * 1024 * MOST_BINS

/**
 * What a machine has seen over time, all in the same intervals.
 *
 * There are up to 64 of them; on meshes of more than 1,024 tiles they are so much wider that all links
 * together have no more than 327,680 values. That is some megabytes as JSON, whatever the mesh.
 */
export function eventActivity({ activity, links, channels }: TileMachine): EventActivity {
  const { matrix, vector, dma } = activity
  const { read, written } = channels
  const counters = [links.bytes, read, written, matrix, vector, dma]
  const end = Math.max(...counters.map(counter => counter.end))
  const most = Math.max(1, Math.min(MOST_BINS, Math.floor(MOST_LINK_VALUES / links.bytes.lines)))
  let binCycles = Math.max(...counters.map(({ width }) => width))
  while (end > binCycles * most) binCycles *= 2
  const bins = Math.ceil(end / binCycles)
  const seriesOf = (counter: TimeBins) =>
    Array.from({ length: counter.lines }, (_, line) => counter.rounded(line, binCycles, bins))
  return {
    binCycles,
    bins,
    links: { bytes: seriesOf(links.bytes) },
    channels: { read: seriesOf(read), written: seriesOf(written) },
    tiles: { matrix: seriesOf(matrix), vector: seriesOf(vector), dma: seriesOf(dma) },
  }
}
