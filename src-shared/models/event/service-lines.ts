/** Cycles of a slot: how finely idle time that was passed over is remembered. */
const SLOT = 32
/** Slots that are remembered; a power of two. */
const SLOTS = 128

/**
 * Servers that each serve one customer at a time: links, or HBM channels.
 *
 * Customers are announced when they set out, in that order, though one with a short way may arrive
 * before another that set out earlier. A customer that arrives when all announced ones are through
 * starts at once; else it takes idle time that was left before them, if there is enough, or queues
 * behind. So no server idles while somebody waits, whatever the order of the announcements.
 *
 * The idle time is counted in slots of 32 cycles; within a slot the order is not kept.
 */
export class ServiceLines {
  /** Per server: when all that was announced is served. */
  private readonly free: Float64Array
  private readonly used: Float32Array
  private readonly slotOf: Int32Array
  /** Per server: the first slot that may have idle time left. */
  private readonly open: Int32Array

  private readonly least: number

  /** @param least cycles of the shortest work: a slot with less idle time is full */
  constructor(servers: number, least: number) {
    this.least = least
    this.free = new Float64Array(servers)
    this.used = new Float32Array(servers * SLOTS)
    this.slotOf = new Int32Array(servers * SLOTS).fill(-1)
    this.open = new Int32Array(servers)
  }

  /** When a server is through with everything announced. */
  freeAt(server: number): number {
    return this.free[server] ?? 0
  }

  /** Announces a customer that arrives at a moment and needs `work` cycles; returns its start. */
  serve(server: number, arrival: number, work: number): number {
    const free = this.free[server] ?? 0
    if (arrival >= free) {
      this.occupy(server, arrival, work)
      this.free[server] = arrival + work
      return arrival
    }
    const early = this.idleSlot(server, arrival, free, work)
    if (early >= 0) return Math.max(arrival, early)
    this.occupy(server, free, work)
    this.free[server] = free + work
    return free
  }

  /** Start of a slot between two moments with room for the work, or −1. */
  private idleSlot(server: number, from: number, to: number, work: number): number {
    const last = Math.floor(to / SLOT)
    let slot = Math.max(Math.floor(from / SLOT), this.open[server] ?? 0, last - SLOTS + 1)
    let isFullSoFar = true
    for (; slot < last; slot++) {
      const index = server * SLOTS + (slot & (SLOTS - 1))
      const used = this.slotOf[index] === slot ? (this.used[index] ?? 0) : 0
      if (used + work <= SLOT) {
        this.slotOf[index] = slot
        this.used[index] = used + work
        return slot * SLOT + used
      }
      // Slots that are full, one after the other, are not looked at again.
      isFullSoFar &&= used + this.least > SLOT
      if (isFullSoFar) this.open[server] = slot + 1
    }
    return -1
  }

  private occupy(server: number, start: number, work: number): void {
    let left = work
    let slot = Math.floor(start / SLOT)
    let room = (slot + 1) * SLOT - start
    while (left > 0) {
      const part = Math.min(left, room)
      const index = server * SLOTS + (slot & (SLOTS - 1))
      const used = this.slotOf[index] === slot ? (this.used[index] ?? 0) : 0
      this.slotOf[index] = slot
      this.used[index] = used + part
      left -= part
      slot++
      room = SLOT
    }
  }
}
