import type { TimedEvent } from '#shared/models/event/event-queue.ts'
import type { FlitRun, MeshLinks } from '#shared/models/event/mesh-links.ts'
import { Signal, type Simulator } from '#shared/models/event/simulator.ts'
import { farCorner, type TileArea } from '#shared/models/event/tile-area.ts'

/**
 * A transfer between tiles whose time on an idle mesh is known, sent in bursts over links that it
 * shares with everything else. Each burst waits for the links that it needs; what they make it wait
 * beyond an idle mesh is added to the time.
 *
 * A read, and so a reduction, takes the links from the reader to the tiles that are read, as on the
 * way to HBM.
 */
export class LineTransfer implements TimedEvent {
  private readonly links: MeshLinks
  private readonly simulator: Simulator
  private readonly from: number
  private readonly to: TileArea | number
  private readonly burst: number
  private readonly done: Signal
  private readonly started: number
  private readonly idleTime: number
  private readonly run: FlitRun = { head: 0, tail: 0 }
  private left: number
  private sent = 0
  private delay = 0

  constructor(
    links: MeshLinks,
    simulator: Simulator,
    transfer: {
      readonly from: number
      readonly to: TileArea | number
      readonly flits: number
      /** Cycles on an idle mesh, all of the software around it included. */
      readonly idleTime: number
      readonly burstFlits: number
    },
  ) {
    this.links = links
    this.simulator = simulator
    this.from = transfer.from
    this.to = transfer.to
    this.left = transfer.flits
    this.burst = transfer.burstFlits
    this.idleTime = transfer.idleTime
    this.started = simulator.now
    this.done = new Signal(simulator)
  }

  /** Starts; the signal comes when all have their data. */
  start(): Signal {
    this.fire()
    return this.done
  }

  fire(): void {
    const { run, links, simulator, from, to } = this
    const flits = Math.min(this.left, this.burst)
    const { now } = simulator
    run.head = now
    run.tail = now + flits - 1
    links.inject(from, run, flits)
    const injected = run.tail + 1
    const idle = this.idleLinks(from, to)
    if (typeof to === 'number') links.route(from, to, run, flits)
    else links.spread(from, to, run, flits)
    this.delay = Math.max(
      this.delay,
      run.tail - (this.started + this.sent + flits - 1) - idle * links.hop,
    )
    this.left -= flits
    this.sent += flits
    if (this.left > 0) {
      simulator.schedule(injected, this)
      return
    }
    this.done.completeAt(this.started + this.idleTime + Math.max(0, this.delay))
  }

  private idleLinks(from: number, to: TileArea | number): number {
    const { columns } = this.links
    const x = from % columns
    const y = (from - x) / columns
    if (typeof to === 'number') {
      const toX = to % columns
      return Math.abs(toX - x) + Math.abs((to - toX) / columns - y)
    }
    const far = farCorner(to)
    return Math.max(x - to.x, far.x - x) + Math.max(y - to.y, far.y - y)
  }
}
