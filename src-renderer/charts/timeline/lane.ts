import type { TimelineOperation } from '#shared/results/event-report.ts'

/** What one engine of a tile did, sorted, none overlapping another. */
export interface Lane {
  readonly tile: number
  readonly label: string
  readonly operations: readonly TimelineOperation[]
  /** Busy cycles before each operation, and at last of all. */
  readonly busyBefore: Float64Array
}

const collectives: readonly string[] = ['multicast', 'max-reduction', 'sum-reduction']
const laneOrder = ['matrix', 'vector', 'DMA', 'collectives', 'sync'] as const

function laneName({ engine, component }: TimelineOperation): string {
  if (engine !== 'dma') return engine
  return collectives.includes(component) ? 'collectives' : 'DMA'
}

/** Lanes by tile and engine; where operations of an engine overlap it has several. */
export function lanesOf(timeline: readonly TimelineOperation[]): Lane[] {
  const groups = new Map<string, TimelineOperation[]>()
  for (const operation of timeline) {
    const key = `${String(operation.tile)} ${laneName(operation)}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [operation])
    else group.push(operation)
  }
  return [...groups.values()]
    .flatMap(operations => {
      const [first] = operations
      return first === undefined ? [] : splitOverlaps(first.tile, laneName(first), operations)
    })
    .toSorted((a, b) => a.tile - b.tile || rank(a.label) - rank(b.label))
}

const rank = (label: string): number => laneOrder.findIndex(name => label.startsWith(name))

function splitOverlaps(
  tile: number,
  label: string,
  operations: readonly TimelineOperation[],
): Lane[] {
  const lanes: { end: number; operations: TimelineOperation[] }[] = []
  for (const operation of operations.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const lane = lanes.find(({ end }) => end <= operation.start)
    if (lane === undefined) lanes.push({ end: operation.end, operations: [operation] })
    else {
      lane.operations.push(operation)
      lane.end = operation.end
    }
  }
  return lanes.map((lane, index) => ({
    tile,
    label: lanes.length > 1 ? `${label} ${String(index + 1)}` : label,
    operations: lane.operations,
    busyBefore: runningSum(lane.operations),
  }))
}

function runningSum(operations: readonly TimelineOperation[]): Float64Array {
  const sums = new Float64Array(operations.length + 1)
  operations.forEach(({ start, end }, index) => {
    sums[index + 1] = (sums[index] ?? 0) + end - start
  })
  return sums
}

/** Index of the first operation that ends after a moment. */
export function firstEndingAfter({ operations }: Lane, moment: number): number {
  let low = 0
  let high = operations.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((operations[middle]?.end ?? 0) > moment) high = middle
    else low = middle + 1
  }
  return low
}

/** Busy cycles from the start to a moment, by bisection. */
export function busyUntil(lane: Lane, moment: number): number {
  const index = firstEndingAfter(lane, moment)
  const start = lane.operations[index]?.start ?? Infinity
  return (lane.busyBefore[index] ?? 0) + Math.max(0, moment - start)
}

/** The operation at a moment. */
export function operationAt(lane: Lane, moment: number): TimelineOperation | undefined {
  const operation = lane.operations[firstEndingAfter(lane, moment)]
  return operation !== undefined && operation.start <= moment ? operation : undefined
}

/** A column of pixels that stands for many operations. */
export interface Column {
  readonly busyCycles: number
  /** Of the operation that is at the middle of the column, or the first that follows. */
  readonly component: string
}

/** Columns of pixels of a part of a lane: as much work as there are columns, whatever is in them. */
export function columnsOf(lane: Lane, from: number, to: number, count: number): Column[] {
  const width = (to - from) / count
  let before = busyUntil(lane, from)
  return Array.from({ length: count }, (_, column) => {
    const start = from + column * width
    const after = busyUntil(lane, column === count - 1 ? to : start + width)
    const busyCycles = Math.max(0, after - before)
    before = after
    const index = firstEndingAfter(lane, start + width / 2)
    const nearest = lane.operations[index] ?? lane.operations.at(-1)
    return { busyCycles, component: nearest?.component ?? 'other' }
  })
}

/** Busy cycles of each phase, by the name of its operations, in the order in which they begin. */
export function phaseTotals(timeline: readonly TimelineOperation[]): Map<string, number> {
  const totals = new Map<string, number>()
  for (const { name, start, end } of timeline.toSorted((a, b) => a.start - b.start)) {
    totals.set(name, (totals.get(name) ?? 0) + end - start)
  }
  return totals
}
