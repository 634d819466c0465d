import type { EventReport } from '#shared/results/event-report.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { meshOf, presetChip, publishedInput } from '#shared/validation/published-input.ts'
import { longPrefill } from '#test/bench/long-prefill.ts'
import type { Measurement } from '#test/bench/measurement.ts'
import { timedRun } from '#test/bench/timed-run.ts'

type Counts = Pick<EventReport, 'iterations' | 'simulatedIterations'>

/** A cancel is seen within 100 ms: a worker looks for one every 50 ms, after the step under way. */
const LONGEST_STEP_MS = 50

const prefill = (
  dataflow: 'fa3' | 'flat-async',
  length: number,
  side: number,
  batch = 2,
): AttentionInput =>
  publishedInput({
    chip: side === 32 ? presetChip('flat-2026') : meshOf(side, side),
    dataflow,
    batch,
    heads: 32,
    headDim: 128,
    queryLength: length,
    kvLength: length,
    mapping: dataflow === 'fa3' ? {} : { groupX: side, groupY: side },
  })

/** The two kernels with a target, after one run each to warm up. */
export function benchEvent(): Measurement[] {
  const kernels = [
    { dataflow: 'flat-async', target: 1 },
    { dataflow: 'fa3', target: 5 },
  ] as const
  return kernels.flatMap(({ dataflow, target }) => {
    const input = prefill(dataflow, 4096, 32)
    timedRun(input)
    const { seconds, longestMs, event } = timedRun(input)
    return [
      {
        kind: 'measured' as const,
        id: `event-${dataflow}`,
        title: `event engine, ${dataflow}, D 128, S 4096, 32 x 32 tiles, ${simulated(event)}`,
        value: seconds,
        unit: 's',
        target,
      },
      {
        kind: 'measured' as const,
        id: `event-${dataflow}-cancel`,
        title: `longest step between two points where ${dataflow} can be dropped`,
        value: longestMs,
        unit: 'ms',
        target: LONGEST_STEP_MS,
      },
    ]
  })
}

/** A prefill of 131,072 tokens, in a process of its own: how long, how long a cancel waits, how much memory. */
export function benchLongPrefill(): Measurement[] {
  const { title, seconds, longestMs, peakGiB, event } = longPrefill()
  return [
    {
      kind: 'measured',
      id: 'event-long-prefill',
      title: `event engine, ${title}, ${simulated(event)}`,
      value: seconds,
      unit: 's',
    },
    {
      kind: 'measured',
      id: 'event-long-prefill-cancel',
      title: `longest step between two points where it can be dropped, ${title}`,
      value: longestMs,
      unit: 'ms',
      target: LONGEST_STEP_MS,
    },
    {
      kind: 'measured',
      id: 'event-long-prefill-memory',
      title: `peak memory of the process, ${title}`,
      value: peakGiB,
      unit: 'GiB',
      target: 2,
    },
  ]
}

const simulated = (event: Counts | undefined): string =>
  event === undefined
    ? 'not run'
    : `${String(event.simulatedIterations)} of ${String(event.iterations)} iterations`

/** How the cost grows with tiles, length and iterations: events, and microseconds for each. */
export function benchEventGrowth(): Measurement[] {
  const cases = [
    ...[4, 8, 16, 32].map(side => ({
      name: `${String(side)} x ${String(side)} tiles`,
      side,
      length: 128 * side,
      batch: 1,
    })),
    ...[1024, 2048, 4096, 8192].map(length => ({
      name: `S ${String(length)}`,
      side: 16,
      length,
      batch: 1,
    })),
    ...[1, 2, 4].map(batch => ({ name: `batch ${String(batch)}`, side: 16, length: 2048, batch })),
  ]
  return (['flat-async', 'fa3'] as const).flatMap(dataflow =>
    cases.map(({ name, side, length, batch }) => {
      const { seconds, event } = timedRun(prefill(dataflow, length, side, batch))
      const events = event?.events ?? 0
      return {
        kind: 'measured' as const,
        id: `event-growth-${dataflow}-${name.replaceAll(' ', '-')}`,
        title:
          `growth, ${dataflow}, ${name}: ${seconds.toFixed(2)} s, ` +
          `${events.toLocaleString('en')} events, ${simulated(event)}`,
        value: (seconds * 1e6) / events,
        unit: 'µs/event',
      }
    }),
  )
}
