import type { Wafer } from '#shared/hardware/wafer.ts'
import {
  flitsOf,
  type Exchange,
  type ExchangeProgress,
  type ExchangeTime,
} from '#shared/models/wafer/exchange.ts'
import { FlitLine } from '#shared/models/wafer/flit-line.ts'
import { FlitQueue } from '#shared/models/wafer/flit-queue.ts'
import { linkTiming, type LinkTiming } from '#shared/models/wafer/link-timing.ts'
import type { Topology } from '#shared/models/wafer/topology.ts'
import { cycles } from '#shared/units/quantity.ts'

/** Hops of flits between two looks at the caller: some milliseconds of work. */
const HOPS_PER_STEP = 50_000

/**
 * Sends every flit of an exchange through the network: the event simulation.
 *
 *   departure = max(arrival, departure of the flit before + Δ, its credit)
 *   arrival at the next router = departure + hop
 *
 * Each chip hands its flits to its router one after the other; a router puts a flit into the queue
 * of its next link at once, and each link serves its queue in order of arrival. Of flits that come
 * at the same moment, one from a link with a smaller id goes first, one from the own chip next. No
 * flit can affect another router sooner than after a hop, so time advances in steps of the shorter
 * of hop and port, within which each router is alone: exact, and the same on every machine.
 *
 * The chip that gets the last flit of a sender's last message returns an acknowledgement of one flit,
 * when it has sent its own data.
 *
 * Source: the rules of the reference simulator's chip-to-chip model, observed flit by flit.
 * Holds when: queues at the head of a link have room. A router of fixed size would hold back its
 *   chip instead; a saturated link is busy either way, and runs with four times as many flits as fit
 *   into a FIFO end within 0.1 %.
 * Checked by: the validation sets d2d-calibration-2026, d2d-exchanges-2026 and d2d-balanced-2026;
 *   test/src-shared/models/wafer/simulate-exchange.test.ts
 */
export function* simulateExchange(
  exchange: Exchange,
  topology: Topology,
  wafer: Pick<Wafer, 'd2d' | 'artefacts'>,
): Generator<ExchangeProgress, ExchangeTime, void> {
  const network = new ExchangeNetwork(exchange, topology, wafer)
  const total = flitsOf(exchange)
  let reported = 0
  while (network.pending > 0) {
    network.step()
    if (network.hops - reported >= HOPS_PER_STEP) {
      reported = network.hops
      yield { done: Math.min(total, network.delivered), total }
    }
  }
  return network.time()
}

/** A chip with what it still has to send. */
interface Sender {
  readonly messages: Int32Array
  readonly firstMessage: number
  sentFlits: number
}

class ExchangeNetwork {
  /** Flits of data and acknowledgements that are not where they belong. */
  pending = 0
  delivered = 0
  hops = 0
  private end = 0
  private lastData = 0
  private lastAcknowledgement = 0
  private readonly flitsPerMessage: number
  private readonly topology: Topology
  private readonly timing: LinkTiming
  private readonly window: number
  private readonly senders: readonly Sender[]
  /** Where each message goes; after the data, one acknowledgement for each chip. */
  private readonly destinationOf: Int32Array
  /** The sender whose last message it is, −1 for all others. */
  private readonly lastOf: Int32Array
  private readonly restOfLast: Int32Array
  private readonly firstAcknowledgement: number
  private readonly links: readonly FlitLine[]
  private readonly ejections: readonly FlitLine[]
  private readonly returns: readonly FlitLine[]
  private readonly injected: readonly FlitQueue[]
  private readonly arrivals: readonly (readonly FlitQueue[])[]
  private readonly linkFlits: Float64Array
  private readonly receivedFlits: Float64Array

  constructor(exchange: Exchange, topology: Topology, wafer: Pick<Wafer, 'd2d' | 'artefacts'>) {
    const { destinations, flitsPerMessage } = exchange
    const { d2d } = wafer
    this.flitsPerMessage = flitsPerMessage
    this.topology = topology
    this.timing = linkTiming(wafer)
    this.window = Math.min(this.timing.hop, this.timing.port)
    const { interval, portInterval, hop, port, creditLoop } = this.timing
    const credits = { fifoFlits: d2d.fifoFlits, batch: d2d.creditBatch, loop: creditLoop }

    const chips = topology.chips
    const messages = destinations.reduce((sum, list) => sum + list.length, 0)
    this.firstAcknowledgement = messages
    this.destinationOf = new Int32Array(messages + chips)
    this.lastOf = new Int32Array(messages + chips).fill(-1)
    this.restOfLast = new Int32Array(chips).fill(flitsPerMessage)
    let firstMessage = 0
    this.senders = destinations.map((list, chip) => {
      const sender = { messages: list, firstMessage, sentFlits: 0 }
      this.destinationOf.set(list, firstMessage)
      firstMessage += list.length
      this.destinationOf[messages + chip] = chip
      if (list.length > 0) {
        this.lastOf[firstMessage - 1] = chip
        this.pending += flitsPerMessage * list.length + 1
      }
      return sender
    })

    this.linkFlits = new Float64Array(topology.links.length)
    this.receivedFlits = new Float64Array(chips)
    const queues = topology.links.map(() => new FlitQueue())
    this.injected = destinations.map(() => new FlitQueue())
    const returned = destinations.map(() => new FlitQueue())
    this.links = queues.map(queue => new FlitLine(interval, hop, queue, credits))
    this.ejections = destinations.map(() => new FlitLine(portInterval, port, null, null))
    this.returns = returned.map(queue => new FlitLine(portInterval, port, queue, null))
    this.arrivals = Array.from({ length: topology.routers }, (_, router) => [
      ...queues.filter((_queue, id) => topology.links[id]?.to === router),
      ...this.injected.slice(router, router + 1),
      ...returned.slice(router, router + 1),
    ])
  }

  /** One hop further in time, for every router. */
  step(): void {
    this.end += this.window
    for (const [chip, sender] of this.senders.entries()) this.inject(chip, sender)
    for (let router = 0; router < this.arrivals.length; router++) this.forward(router)
  }

  /** The flits that a chip hands to its router until the end of the step. */
  private inject(chip: number, sender: Sender): void {
    const queue = this.injected[chip]
    if (queue === undefined) return
    const { flitsPerMessage, timing, end } = this
    const flits = sender.messages.length * flitsPerMessage
    while (sender.sentFlits < flits) {
      const time = sender.sentFlits * timing.portInterval + timing.port
      if (time >= end) return
      queue.push(time, sender.firstMessage + Math.floor(sender.sentFlits / flitsPerMessage))
      sender.sentFlits++
    }
  }

  /** What comes to a router in the step, in order of arrival, goes to the next line. */
  private forward(router: number): void {
    const { topology, destinationOf, end } = this
    const queues = this.arrivals[router] ?? []
    for (;;) {
      let first: FlitQueue | undefined
      let time = end
      for (const queue of queues) {
        if (queue.headTime < time) {
          time = queue.headTime
          first = queue
        }
      }
      if (first === undefined) return
      const message = first.shift()
      const destination = destinationOf[message] ?? -1
      this.hops++
      if (destination === router) {
        this.arrive(time, message, router)
      } else {
        const link = topology.nextLink[router * topology.chips + destination] ?? -1
        this.links[link]?.send(time, message)
        if (message < this.firstAcknowledgement)
          this.linkFlits[link] = (this.linkFlits[link] ?? 0) + 1
      }
    }
  }

  /** A flit is at the router of its chip: it goes in, and may be the last one. */
  private arrive(time: number, message: number, chip: number): void {
    const at = this.ejections[chip]?.send(time, message) ?? time
    this.pending--
    if (message >= this.firstAcknowledgement) {
      this.lastAcknowledgement = Math.max(this.lastAcknowledgement, at)
      return
    }
    this.delivered++
    this.receivedFlits[chip] = (this.receivedFlits[chip] ?? 0) + 1
    this.lastData = Math.max(this.lastData, at)
    const sender = this.lastOf[message] ?? -1
    if (sender === -1) return
    const rest = (this.restOfLast[sender] ?? 0) - 1
    this.restOfLast[sender] = rest
    if (rest === 0) this.acknowledge(at, chip, sender)
  }

  private acknowledge(time: number, chip: number, sender: number): void {
    const own = this.senders[chip]?.messages.length ?? 0
    const free = own * this.flitsPerMessage * this.timing.portInterval
    this.returns[chip]?.send(Math.max(time, free), this.firstAcknowledgement + sender)
  }

  /** Of the exchange that has ended. */
  time(): ExchangeTime {
    return {
      lastData: cycles(this.lastData),
      acknowledged: cycles(this.lastAcknowledgement),
      linkFlits: this.linkFlits,
      sentFlits: Float64Array.from(this.senders, ({ sentFlits }) => sentFlits),
      receivedFlits: this.receivedFlits,
    }
  }
}
