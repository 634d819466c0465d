/** Flits on their way to a router, in the order in which they come. Grows as needed. */
export class FlitQueue {
  /** When the first flit comes; Infinity where there is none. */
  headTime = Infinity
  private times = new Float64Array(64)
  private messages = new Int32Array(64)
  private head = 0
  private size = 0

  /** @param time not before that of the flit pushed last */
  push(time: number, message: number): void {
    if (this.size === this.times.length) this.grow()
    const place = (this.head + this.size) & (this.times.length - 1)
    this.times[place] = time
    this.messages[place] = message
    if (this.size === 0) this.headTime = time
    this.size++
  }

  /** The message of the first flit, which leaves the queue; there must be one. */
  shift(): number {
    const message = this.messages[this.head] ?? -1
    this.head = (this.head + 1) & (this.times.length - 1)
    this.size--
    this.headTime = this.size > 0 ? (this.times[this.head] ?? Infinity) : Infinity
    return message
  }

  private grow(): void {
    const { times, messages, head } = this
    const length = times.length
    this.times = new Float64Array(2 * length)
    this.messages = new Int32Array(2 * length)
    this.times.set(times.subarray(head))
    this.times.set(times.subarray(0, head), length - head)
    this.messages.set(messages.subarray(head))
    this.messages.set(messages.subarray(0, head), length - head)
    this.head = 0
  }
}
