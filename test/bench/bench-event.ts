import recorded from '#resources/published/reference-simulator-wall-time.json' with { type: 'json' }
import { dataflows } from '#shared/mapping/dataflow.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { runAttention } from '#shared/simulate/run-attention.ts'
import { meshOf, presetChip, publishedInput } from '#shared/validation/published-input.ts'
import { elapsedMs, type Measurement } from '#test/bench/measurement.ts'

/** A run of the event engine, and the longest time between two points where it can be dropped. */
function timedRun(input: AttentionInput) {
  const simulation = runAttention({ ...input, engine: 'event' })
  let longestMs = 0
  let document: AttentionDocument | undefined
  const milliseconds = elapsedMs(() => {
    while (document === undefined) {
      longestMs = Math.max(
        longestMs,
        elapsedMs(() => {
          const step = simulation.next()
          if (step.done === true) document = step.value
        }),
      )
    }
  })
  return { seconds: milliseconds / 1000, longestMs, event: document?.event }
}

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
        title: `longest wait for a cancel, ${dataflow}`,
        value: longestMs,
        unit: 'ms',
        target: 100,
      },
    ]
  })
}

const simulated = (event: AttentionDocument['event']): string =>
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

/** How much sooner the event engine is through than the reference simulator was. */
export const benchEventReference = (): Measurement[] =>
  recorded.rows.map(row => {
    const count = (column: string) => Number(row[recorded.columns.indexOf(column)])
    const dataflow = dataflows.find(id => id === row[0])
    if (dataflow === undefined) throw new Error(`unknown dataflow ${String(row[0])}`)
    const { seconds } = timedRun(
      publishedInput({
        chip: meshOf(count('mesh'), count('channels')),
        dataflow,
        batch: 1,
        heads: count('jobs'),
        headDim: count('headDim'),
        queryLength: count('queryRows'),
        kvLength: count('kvLength'),
        mapping: {
          groupX: count('groupX'),
          groupY: count('groupY'),
          sliceRows: count('sliceRows'),
          sliceCols: count('sliceCols'),
        },
      }),
    )
    return {
      kind: 'measured',
      id: `event-reference-${dataflow}-${String(count('mesh'))}-${String(count('cycles'))}`,
      title:
        `reference simulator over event engine, ${dataflow}, ${String(count('mesh'))} x ` +
        `${String(count('mesh'))} tiles, ${String(count('cycles'))} cycles (${String(count('wallSeconds'))} s)`,
      value: count('wallSeconds') / seconds,
      unit: 'x',
    }
  })
