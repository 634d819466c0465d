import type { FlitQueue } from '#shared/models/wafer/flit-queue.ts'

/** Credits of a line: without them it sends as fast as it can. */
export interface Credits {
  readonly fifoFlits: number
  readonly batch: number
  readonly loop: number
}

/** One direction of a link or a port: sends one flit after the other, in the order they come. */
export class FlitLine {
  private flits = 0
  private free = 0
  private readonly interval: number
  private readonly latency: number
  private readonly end: FlitQueue | null
  private readonly credits: Credits | null
  /** When the last flits left, by number modulo length; empty where credits hold nothing up. */
  private readonly departures: Float64Array

  /** @param end where the flits come out; null where nobody takes them from there */
  constructor(interval: number, latency: number, end: FlitQueue | null, credits: Credits | null) {
    this.interval = interval
    this.latency = latency
    this.end = end
    // Credits are back in time for every flit of an unbroken stream, and of a broken one all the more.
    const idle =
      credits === null || (credits.fifoFlits - credits.batch + 1) * interval >= credits.loop
    this.credits = idle ? null : credits
    this.departures = new Float64Array(idle ? 0 : credits.fifoFlits)
  }

  /**
   * Sends a flit that has come to the head of the line.
   *
   * @returns when it is at the other end
   */
  send(time: number, message: number): number {
    let departure = Math.max(time, this.free)
    if (this.credits !== null) departure = this.withCredit(departure, this.credits)
    this.free = departure + this.interval
    this.flits++
    const arrival = departure + this.latency
    this.end?.push(arrival, message)
    return arrival
  }

  private withCredit(departure: number, { fifoFlits, batch, loop }: Credits): number {
    const { departures, flits } = this
    let at = departure
    if (flits >= fifoFlits) {
      // The batch with the credit of flit number flits − fifoFlits is complete with this flit.
      const complete = (Math.floor((flits - fifoFlits) / batch) + 1) * batch - 1
      at = Math.max(at, (departures[complete % fifoFlits] ?? 0) + loop)
    }
    departures[flits % fifoFlits] = at
    return at
  }
}
