import { z } from '#shared/schema/zod.ts'

/**
 * The part of the Trace Event format that the traces use, from its public description ("Trace Event
 * Format", Google 2016): complete events, counters and metadata. Times are in microseconds.
 */
const place = { pid: z.int().nonnegative(), tid: z.int().nonnegative() }
const timestamp = z.number().nonnegative()
const label = z.string().min(1)

const metadataSchema = z.discriminatedUnion('name', [
  z.strictObject({
    ph: z.literal('M'),
    name: z.literal(['process_name', 'thread_name']),
    ...place,
    args: z.strictObject({ name: label }),
  }),
  z.strictObject({
    ph: z.literal('M'),
    name: z.literal(['process_sort_index', 'thread_sort_index']),
    ...place,
    args: z.strictObject({ sort_index: z.int() }),
  }),
])

const completeSchema = z.strictObject({
  ph: z.literal('X'),
  name: label,
  cat: label,
  ...place,
  ts: timestamp,
  dur: timestamp,
})

const counterSchema = z.strictObject({
  ph: z.literal('C'),
  name: label,
  ...place,
  ts: timestamp,
  args: z
    .record(label, z.number())
    .refine(series => Object.keys(series).length > 0, 'a counter has at least one series'),
})

/** A trace in the object form of the format. */
export const traceSchema = z.strictObject({
  traceEvents: z.array(z.union([metadataSchema, completeSchema, counterSchema])),
  displayTimeUnit: z.literal(['ms', 'ns']),
  otherData: z.record(z.string(), z.string()),
})

type Trace = z.infer<typeof traceSchema>
type CompleteEvent = z.infer<typeof completeSchema>

export const operationsOf = (trace: Trace): CompleteEvent[] =>
  trace.traceEvents.filter(event => event.ph === 'X')

export const countersOf = (trace: Trace) => trace.traceEvents.filter(event => event.ph === 'C')

/** Rounding of microseconds that were computed from cycles. */
const ROUNDING = 1e-6

/**
 * What a viewer needs beyond the shape of the events: a name for every process and thread that has
 * operations, operations of a thread that are nested or apart, and counters in the order of time.
 */
export function traceProblems(trace: Trace): string[] {
  const named = new Set(
    trace.traceEvents
      .filter(event => event.ph === 'M')
      .map(({ name, pid, tid }) =>
        name === 'thread_name' ? `thread ${String(pid)}/${String(tid)}` : `${name} ${String(pid)}`,
      ),
  )
  const threads = groupBy(
    operationsOf(trace),
    ({ pid, tid }) => `thread ${String(pid)}/${String(tid)}`,
  )
  const problems = [...threads].flatMap(([thread, operations]) => [
    ...(named.has(thread) ? [] : [`${thread} has no name`]),
    ...overlaps(operations).map(problem => `${thread}: ${problem}`),
  ])
  const processes = new Set(trace.traceEvents.map(({ pid }) => `process_name ${String(pid)}`))
  const unnamed = [...processes]
    .filter(process => !named.has(process))
    .map(process => `no ${process}`)
  const series = groupBy(countersOf(trace), ({ pid, name }) => `${String(pid)} ${name}`)
  const disorder = [...series].flatMap(([counter, samples]) =>
    samples.some(({ ts }, index) => index > 0 && ts <= (samples[index - 1]?.ts ?? 0))
      ? [`counter ${counter} runs backwards`]
      : [],
  )
  return [...problems, ...unnamed, ...disorder]
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

function overlaps(operations: readonly CompleteEvent[]): string[] {
  const problems: string[] = []
  const open: CompleteEvent[] = []
  const end = ({ ts, dur }: CompleteEvent) => ts + dur
  for (const event of operations.toSorted((a, b) => a.ts - b.ts || b.dur - a.dur)) {
    while (open.length > 0 && end(open.at(-1) ?? event) <= event.ts + ROUNDING) open.pop()
    const outer = open.at(-1)
    if (outer !== undefined && end(event) > end(outer) + ROUNDING) {
      problems.push(`${event.name} at ${String(event.ts)} leaves ${outer.name}`)
    }
    open.push(event)
  }
  return problems
}
