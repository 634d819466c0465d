import type { EventReport, TimelineOperation } from '#shared/results/event-report.ts'

/** An event of the Trace Event format; times in microseconds. */
export type TraceEvent =
  | {
      readonly ph: 'M'
      readonly name: 'process_name' | 'thread_name' | 'process_sort_index' | 'thread_sort_index'
      readonly pid: number
      readonly tid: number
      readonly args: Readonly<Record<string, string | number>>
    }
  | {
      readonly ph: 'X'
      readonly name: string
      readonly cat: string
      readonly pid: number
      readonly tid: number
      readonly ts: number
      readonly dur: number
    }
  | {
      readonly ph: 'C'
      readonly name: string
      readonly pid: number
      readonly tid: number
      readonly ts: number
      readonly args: Readonly<Record<string, number>>
    }

/** A file that Perfetto and chrome://tracing open. */
export interface ChromeTrace {
  readonly traceEvents: readonly TraceEvent[]
  readonly displayTimeUnit: 'ns'
  readonly otherData: Readonly<Record<string, string>>
}

/** Counters belong to the chip, which comes before its tiles. */
const CHIP_PROCESS = 1
const FIRST_TILE_PROCESS = 2

/**
 * A timeline as Chrome Trace JSON: one process for each tile, one thread for each of its engines,
 * and counters for the bandwidth of HBM and of all links together.
 *
 * Operations of one engine that overlap, such as two queued transfers, get threads of their own,
 * since a thread can only show what is nested.
 *
 * Source: the public description of the Trace Event format.
 *
 * @param clock of the chip, Hz: times become true microseconds
 */
export function chromeTrace(
  timeline: readonly TimelineOperation[],
  event: EventReport,
  clock: number,
  title: string,
): ChromeTrace {
  const microseconds = (cycles: number) => (cycles / clock) * 1e6
  const traceEvents: TraceEvent[] = [
    name('process_name', CHIP_PROCESS, 0, title),
    ...counters(event, clock, microseconds),
  ]
  const tiles = [...new Set(timeline.map(({ tile }) => tile))].toSorted((a, b) => a - b)
  tiles.forEach((tile, index) => {
    const pid = FIRST_TILE_PROCESS + index
    const x = tile % event.tiles.columns
    const y = Math.floor(tile / event.tiles.columns)
    traceEvents.push(name('process_name', pid, 0, `Tile ${String(x)}, ${String(y)}`))
    traceEvents.push({
      ph: 'M',
      name: 'process_sort_index',
      pid,
      tid: 0,
      args: { sort_index: pid },
    })
    const lanes = lanesOf(timeline.filter(operation => operation.tile === tile))
    lanes.forEach(({ label, operations }, lane) => {
      const tid = lane + 1
      traceEvents.push(name('thread_name', pid, tid, label))
      for (const { name: what, component, start, end } of operations) {
        traceEvents.push({
          ph: 'X',
          name: what,
          cat: component,
          pid,
          tid,
          ts: microseconds(start),
          dur: microseconds(end - start),
        })
      }
    })
  })
  return { traceEvents, displayTimeUnit: 'ns', otherData: { title } }
}

const name = (
  kind: 'process_name' | 'thread_name',
  pid: number,
  tid: number,
  text: string,
): TraceEvent => ({ ph: 'M', name: kind, pid, tid, args: { name: text } })

interface Lane {
  readonly label: string
  readonly operations: readonly TimelineOperation[]
}

/** One lane for each engine, more where its operations overlap. */
function lanesOf(operations: readonly TimelineOperation[]): Lane[] {
  const engines = [...new Set(operations.map(({ engine }) => engine))].toSorted()
  return engines.flatMap(engine => {
    const lanes: { end: number; operations: TimelineOperation[] }[] = []
    const inOrder = operations
      .filter(operation => operation.engine === engine)
      .toSorted((a, b) => a.start - b.start || b.end - a.end)
    for (const operation of inOrder) {
      const lane = lanes.find(({ end }) => end <= operation.start)
      if (lane === undefined) {
        lanes.push({ end: operation.end, operations: [operation] })
      } else {
        lane.operations.push(operation)
        lane.end = operation.end
      }
    }
    return lanes.map((lane, index) => ({
      label: lanes.length > 1 ? `${engine} ${String(index + 1)}` : engine,
      operations: lane.operations,
    }))
  })
}

function counters(
  { channels, links }: EventReport,
  clock: number,
  microseconds: (cycles: number) => number,
): TraceEvent[] {
  const rate = (bytes: number, cycles: number) => (bytes * clock) / cycles / 1e9
  const events: TraceEvent[] = []
  const bins = Math.max(channels.readSeries.length, channels.writtenSeries.length)
  for (let bin = 0; bin <= bins; bin++) {
    events.push({
      ph: 'C',
      name: 'HBM bandwidth, GB/s',
      pid: CHIP_PROCESS,
      tid: 0,
      ts: microseconds(bin * channels.binCycles),
      args: {
        read: rate(channels.readSeries[bin] ?? 0, channels.binCycles),
        written: rate(channels.writtenSeries[bin] ?? 0, channels.binCycles),
      },
    })
  }
  for (let bin = 0; bin <= links.series.length; bin++) {
    events.push({
      ph: 'C',
      name: 'NoC links together, GB/s',
      pid: CHIP_PROCESS,
      tid: 0,
      ts: microseconds(bin * links.binCycles),
      args: { all: rate(links.series[bin] ?? 0, links.binCycles) },
    })
  }
  return events
}
