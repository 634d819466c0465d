import { eventActivity } from '#shared/models/event/event-activity.ts'
import { linkDirections } from '#shared/models/event/mesh-links.ts'
import type { TileMachine } from '#shared/models/event/tile-machine.ts'
import type { TimeBins } from '#shared/models/event/time-bins.ts'
import type { EventReport } from '#shared/results/event-report.ts'

/**
 * What a machine has seen up to a moment.
 *
 * @param withActivity whether each link, channel and tile is reported over time, which takes
 *   megabytes on a large mesh
 */
export function eventReport(
  machine: TileMachine,
  until: number,
  counts: Pick<EventReport, 'iterations' | 'simulatedIterations'>,
  withActivity = false,
): EventReport {
  const { activity, links, channels, simulator } = machine
  const share = (busy: TimeBins) =>
    totals(busy).map(cycles => (until > 0 ? Math.min(1, cycles / until) : 0))
  return {
    events: simulator.events,
    ...counts,
    simulatedCycles: until,
    tiles: {
      columns: links.columns,
      rows: links.rows,
      matrix: share(activity.matrix),
      vector: share(activity.vector),
      dma: share(activity.dma),
    },
    links: {
      directions: linkDirections,
      bytes: totals(links.bytes),
      binCycles: links.bytes.width,
      series: sumOfSeries(links.bytes),
    },
    channels: {
      readBytes: totals(channels.read),
      writtenBytes: totals(channels.written),
      binCycles: alignBins(channels.read, channels.written),
      readSeries: sumOfSeries(channels.read),
      writtenSeries: sumOfSeries(channels.written),
    },
    ...(withActivity ? { activity: eventActivity(machine) } : {}),
  }
}

const totals = (bins: TimeBins): number[] =>
  Array.from({ length: bins.lines }, (_, line) => bins.total(line))

function sumOfSeries(bins: TimeBins): number[] {
  const sums: number[] = []
  for (let line = 0; line < bins.lines; line++) {
    bins.series(line).forEach((value, bin) => {
      sums[bin] = (sums[bin] ?? 0) + value
    })
  }
  return sums
}

/** Gives two counters bins of the same width. */
function alignBins(one: TimeBins, other: TimeBins): number {
  one.widenTo(other.width)
  other.widenTo(one.width)
  return one.width
}
