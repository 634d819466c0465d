import { describe, expect, test } from 'vitest'
import { chromeTrace } from '#shared/results/chrome-trace.ts'
import { dataflowsOf } from '#shared/mapping/dataflow.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import type { EventRun } from '#shared/simulate/event-run.ts'
import { simulateAttention } from '#shared/simulate/run-attention.ts'
import { makeAttentionInput } from '#test/support/make-attention-input.ts'
import { makeChipConfig, makeHbm } from '#test/support/make-chip.ts'
import { makeWorkload } from '#test/support/make-workload.ts'
import {
  countersOf,
  operationsOf,
  traceProblems,
  traceSchema,
} from '#test/support/trace-event-schema.ts'

const CLOCK_GHZ = 0.5

function watch(
  changes: Partial<AttentionInput>,
  tiles: readonly number[],
): EventRun<AttentionDocument> {
  const input: AttentionInput = {
    ...makeAttentionInput({
      chip: makeChipConfig({
        tiles: { x: 4, y: 4 },
        hbm: makeHbm({ west: 2, south: 3 }),
        clockGHz: CLOCK_GHZ,
      }),
      workload: makeWorkload({ heads: 3, kvHeads: 3, queryLength: 300, kvLength: 500 }),
      mapping: { sliceRows: 32, sliceCols: 32, groupX: 2, groupY: 2 },
      ...changes,
    }),
    engine: 'event',
  }
  const simulation = simulateAttention(input, { timelineTiles: tiles })
  for (;;) {
    const step = simulation.next()
    if (step.done === true) return step.value
  }
}

function traceOf({ document, timeline }: EventRun<AttentionDocument>) {
  const { event } = document
  if (event === undefined) throw new Error('the event engine gave no report')
  // As a viewer reads it.
  const text = JSON.stringify(chromeTrace(timeline, event, CLOCK_GHZ * 1e9, 'A trace'))
  return { event, trace: traceSchema.parse(JSON.parse(text)) }
}

const mappingOf = (dataflow: string) =>
  dataflow.startsWith('fa')
    ? { sliceRows: 32, sliceCols: 32 }
    : { sliceRows: 32, sliceCols: 32, groupX: 2, groupY: 2 }

describe.each(dataflowsOf({ variant: 'mha', phase: 'prefill' }))('the trace of %s', dataflow => {
  const run = watch({ dataflow, mapping: mappingOf(dataflow) }, [0, 1, 5])
  const { trace, event } = traceOf(run)

  test('is in the Trace Event format, named throughout and properly nested', () => {
    expect(traceProblems(trace)).toEqual([])
  })

  test('has every operation of the tiles that were asked for, in true microseconds', () => {
    const operations = operationsOf(trace)
    expect(operations).toHaveLength(run.timeline.length)
    expect(new Set(operations.map(({ pid }) => pid)).size).toBe(3)
    const busy = operations.reduce((sum, { dur }) => sum + dur, 0)
    const cycles = run.timeline.reduce((sum, { start, end }) => sum + end - start, 0)
    expect(busy).toBeCloseTo(cycles / CLOCK_GHZ / 1000, 3)
    const end = Math.max(...operations.map(({ ts, dur }) => ts + dur))
    expect(end).toBeLessThanOrEqual(run.document.result.seconds * 1e6)
  })

  test('shows by its counters as many bytes as the channels and links carried', () => {
    const bytesOf = (name: string, series: string, binCycles: number) =>
      countersOf(trace)
        .filter(counter => counter.name.startsWith(name))
        .reduce((sum, { args }) => sum + (args[series] ?? 0) * (binCycles / CLOCK_GHZ), 0)
    const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
    const { channels, links } = event
    const read = bytesOf('HBM', 'read', channels.binCycles)
    expect(read / sum(channels.readBytes)).toBeCloseTo(1, 6)
    const written = bytesOf('HBM', 'written', channels.binCycles)
    expect(written / sum(channels.writtenBytes)).toBeCloseTo(1, 6)
    expect(bytesOf('NoC', 'all', links.binCycles) / sum(links.bytes)).toBeCloseTo(1, 6)
  })
})

describe('the checks of a trace', () => {
  const operation = (name: string, ts: number, dur: number) => ({
    ph: 'X' as const,
    name,
    cat: 'matrix',
    pid: 1,
    tid: 1,
    ts,
    dur,
  })
  const named = (name: 'process_name' | 'thread_name') => ({
    ph: 'M' as const,
    name,
    pid: 1,
    tid: 1,
    args: { name: 'A name' },
  })
  const traceWith = (...traceEvents: unknown[]) =>
    traceSchema.parse({ traceEvents, displayTimeUnit: 'ns', otherData: {} })
  const names = [named('process_name'), named('thread_name')]

  test('accept operations that are nested or apart', () => {
    const events = [operation('a', 0, 10), operation('b', 2, 3), operation('c', 10, 1)]
    expect(traceProblems(traceWith(...names, ...events))).toEqual([])
  })

  test('find operations that overlap', () => {
    const events = [operation('a', 0, 10), operation('b', 5, 10)]
    expect(traceProblems(traceWith(...names, ...events))).toEqual(['thread 1/1: b at 5 leaves a'])
  })

  test('find processes and threads without a name', () => {
    expect(traceProblems(traceWith(operation('a', 0, 1)))).toEqual([
      'thread 1/1 has no name',
      'no process_name 1',
    ])
  })

  test.each([
    { ...operation('a', 0, 1), ts: -1 },
    { ...operation('a', 0, 1), dur: null },
    { ...operation('a', 0, 1), ph: 'Q' },
    { ...operation('a', 0, 1), pid: 'one' },
    { ph: 'C', name: 'rate', pid: 1, tid: 0, ts: 0, args: { all: 'much' } },
    { ph: 'C', name: 'rate', pid: 1, tid: 0, ts: 0, args: {} },
  ])('refuse what is no event: %j', event => {
    expect(() => traceWith(event)).toThrow()
  })
})
