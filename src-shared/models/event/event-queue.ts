/** Something that happens at a moment. */
export interface TimedEvent {
  fire(): void
}

/**
 * Events in the order of their time; of equal times, the one that was scheduled first. A binary
 * heap, so that an insertion or removal takes O(log n).
 */
export class EventQueue {
  private times = new Float64Array(1024)
  private order = new Float64Array(1024)
  private readonly events: TimedEvent[] = []
  private inserted = 0

  get size(): number {
    return this.events.length
  }

  push(time: number, event: TimedEvent): void {
    let index = this.events.length
    if (index === this.times.length) this.grow()
    this.events.push(event)
    const { times, order, events } = this
    const sequence = this.inserted++
    while (index > 0) {
      const parent = (index - 1) >> 1
      // A later insertion never goes before an equal time.
      if ((times[parent] ?? 0) <= time) break
      times[index] = times[parent] ?? 0
      order[index] = order[parent] ?? 0
      events[index] = events[parent] ?? event
      index = parent
    }
    times[index] = time
    order[index] = sequence
    events[index] = event
  }

  /** Time of the next event, Infinity where there is none. */
  get nextTime(): number {
    return this.events.length > 0 ? (this.times[0] ?? 0) : Infinity
  }

  pop(): TimedEvent | undefined {
    const { times, order, events } = this
    const first = events[0]
    const last = events.pop()
    if (first === undefined || last === undefined) return undefined
    const size = events.length
    if (size === 0) return first
    const time = times[size] ?? 0
    const sequence = order[size] ?? 0
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= size) break
      const right = child + 1
      if (right < size && isBefore(times, order, right, child)) child = right
      const childTime = times[child] ?? 0
      if (childTime > time || (childTime === time && (order[child] ?? 0) > sequence)) break
      times[index] = childTime
      order[index] = order[child] ?? 0
      events[index] = events[child] ?? last
      index = child
    }
    times[index] = time
    order[index] = sequence
    events[index] = last
    return first
  }

  private grow(): void {
    const times = new Float64Array(2 * this.times.length)
    times.set(this.times)
    const order = new Float64Array(2 * this.order.length)
    order.set(this.order)
    this.times = times
    this.order = order
  }
}

function isBefore(times: Float64Array, order: Float64Array, one: number, other: number): boolean {
  const a = times[one] ?? 0
  const b = times[other] ?? 0
  return a < b || (a === b && (order[one] ?? 0) < (order[other] ?? 0))
}
