import type { Wafer } from '#shared/hardware/wafer.ts'
import type { Exchange, ExchangeTime } from '#shared/models/wafer/exchange.ts'
import { linkTiming, sustainedInterval } from '#shared/models/wafer/link-timing.ts'
import { routeOf, type Topology } from '#shared/models/wafer/topology.ts'
import { cycles, type Cycles } from '#shared/units/quantity.ts'

/** What holds up an exchange: a link by its id, or the port of a chip. */
export type Bottleneck =
  | { readonly line: 'link'; readonly link: number }
  | { readonly line: 'sending-port' | 'receiving-port'; readonly chip: number }

/** The numbers of the closed form, for the line that decides. */
export interface ExchangeEstimate extends ExchangeTime {
  /** Null where nothing has to move. */
  readonly bottleneck: Bottleneck | null
  readonly flits: number
  readonly interval: Cycles
  /** Until the first flit can be at the bottleneck. */
  readonly before: Cycles
  /** From there to the chip that decides. */
  readonly after: Cycles
}

/** A link or port with the flits over it. */
interface Line {
  readonly name: Bottleneck
  readonly interval: Cycles
  flits: number
  before: number
  after: number
  /** The same, and back again for the acknowledgement. */
  afterAndBack: number
}

/**
 * Time of an exchange as a closed form, for every topology.
 *
 *   T = max over links and ports of  T_before + (N − 1)·Δ + T_after
 *   T_ack = max over links and ports of  T_before + (N − 1)·Δ + T_after + T_back
 *
 * N         flits over the link or port
 * Δ         cycles from flit to flit there, with the stalls for credits
 * T_before  from the nearest sender of these flits to the head of the line
 * T_after   from there to the farthest receiver of these flits; for the port of a sender the order of
 *           its messages is known, and those that leave sooner count as much less
 * T_back    the longest way of all flits over the line; for the port of a sender that of its last one
 *
 * The formula sees N flits follow one another without a gap on the busiest line, and the last of them
 * go farthest.
 *
 * Source: a queue that is never empty; generalises the published fit "16·V/β + round trip" of an 8 × 8
 *   mesh, whose middle links carry 16 of the volumes V that a chip sends for each expert.
 * Holds when: one line is clearly the busiest. Where flits pass two that are as busy, the second has
 *   gaps: the simulation of balanced routing over 8 × 8 chips takes up to a sixth longer.
 * Checked by: the validation sets d2d-estimate-2026 and d2d-estimate-dispatch-2026;
 *   test/properties/exchange-invariants.test.ts, against the simulation
 */
export function estimateExchange(
  exchange: Exchange,
  topology: Topology,
  wafer: Pick<Wafer, 'd2d' | 'artefacts'>,
): ExchangeEstimate {
  const timing = linkTiming(wafer)
  const interval = sustainedInterval(wafer, timing)
  const lineOf = (name: Bottleneck): Line => ({
    name,
    interval: name.line === 'link' ? interval : timing.portInterval,
    flits: 0,
    before: Infinity,
    after: 0,
    afterAndBack: 0,
  })
  const chips = Array.from({ length: topology.chips }, (_, chip) => chip)
  const links = topology.links.map((_, link) => lineOf({ line: 'link', link }))
  const receiving = chips.map(chip => lineOf({ line: 'receiving-port', chip }))
  const sending = chips.map(chip => lineOf({ line: 'sending-port', chip }))

  for (const [source, messages] of exchange.destinations.entries()) {
    const port = sending[source]
    for (const { destination, count, later } of flowsOf(messages)) {
      const route = routeOf(topology, source, destination)
      const whole = 2 * timing.port + route.length * timing.hop
      const flits = count * exchange.flitsPerMessage
      const pass = (line: Line | undefined, before: number) => {
        if (line === undefined) return
        line.flits += flits
        line.before = Math.min(line.before, before)
        line.after = Math.max(line.after, whole - before)
        line.afterAndBack = Math.max(line.afterAndBack, 2 * whole - before)
      }
      for (const [hop, link] of route.entries()) pass(links[link], timing.port + hop * timing.hop)
      pass(receiving[destination], whole - timing.port)
      if (port === undefined) continue
      const sooner = later * exchange.flitsPerMessage * timing.portInterval
      port.flits += flits
      port.before = 0
      port.after = Math.max(port.after, whole - sooner)
      if (later === 0) port.afterAndBack = 2 * whole
    }
  }

  const loads = {
    linkFlits: Float64Array.from(links, ({ flits }) => flits),
    sentFlits: Float64Array.from(sending, ({ flits }) => flits),
    receivedFlits: Float64Array.from(receiving, ({ flits }) => flits),
  }
  const used = [...links, ...receiving, ...sending].filter(({ flits }) => flits > 0)
  const [first, ...others] = used
  if (first === undefined) return { ...nothing, ...loads }
  const slowest = others.reduce((best, line) => (endOf(line) > endOf(best) ? line : best), first)
  return {
    lastData: endOf(slowest),
    acknowledged: cycles(used.reduce((last, line) => Math.max(last, endAndBackOf(line)), 0)),
    ...loads,
    bottleneck: slowest.name,
    flits: slowest.flits,
    interval: slowest.interval,
    before: cycles(slowest.before),
    after: cycles(slowest.after),
  }
}

const nothing = {
  lastData: cycles(0),
  acknowledged: cycles(0),
  bottleneck: null,
  flits: 0,
  interval: cycles(0),
  before: cycles(0),
  after: cycles(0),
} as const

const streamOf = ({ before, flits, interval }: Line): number => before + (flits - 1) * interval
const endOf = (line: Line): Cycles => cycles(streamOf(line) + line.after)
const endAndBackOf = (line: Line): number => streamOf(line) + line.afterAndBack

/** Messages of a chip to one other. */
interface Flow {
  readonly destination: number
  readonly count: number
  /** Messages that leave after the last of these. */
  readonly later: number
}

function flowsOf(destinations: Int32Array): Flow[] {
  const flows = new Map<number, { count: number; last: number }>()
  for (const [index, destination] of destinations.entries()) {
    const flow = flows.get(destination)
    if (flow === undefined) flows.set(destination, { count: 1, last: index })
    else {
      flow.count++
      flow.last = index
    }
  }
  return [...flows].map(([destination, { count, last }]) => ({
    destination,
    count,
    later: destinations.length - 1 - last,
  }))
}
