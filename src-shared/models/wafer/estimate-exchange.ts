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
  /** From there to the farthest chip. */
  readonly after: Cycles
  /** The way back of the acknowledgement. */
  readonly back: Cycles
}

/** A link or port with the flits over it. */
interface Line {
  readonly name: Bottleneck
  readonly interval: Cycles
  flits: number
  before: number
  after: number
  longest: number
}

/**
 * Time of an exchange as a closed form, for every topology.
 *
 *   T = max over links and ports of  T_before + (N − 1)·Δ + T_after,  T_ack = T + T_longest
 *
 * N          flits over the link or port
 * Δ          cycles from flit to flit there, with the stalls for credits
 * T_before   from a sender of these flits, the nearest one, to the head of the link
 * T_after    from there to the receiver of these flits, the farthest one
 * T_longest  the longest way of all flits over it, which the acknowledgement takes back
 *
 * The formula sees N flits follow one another without a gap on the busiest line, and the last of them
 * go farthest.
 *
 * Source: a queue that is never empty; generalises the published fit "16·V/β + round trip" of an 8 × 8
 *   mesh, whose middle links carry 16 of the volumes V that a chip sends for each expert.
 * Holds when: one line is clearly the busiest. Where flits pass two that are as busy, the second has
 *   gaps: the simulation of balanced routing over 8 × 8 chips takes up to 16 % longer.
 * Checked by: the validation sets d2d-estimate-exchanges-2026 and d2d-estimate-balanced-2026;
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
    longest: 0,
  })
  const chips = Array.from({ length: topology.chips }, (_, chip) => chip)
  const links = topology.links.map((_, link) => lineOf({ line: 'link', link }))
  const sending = chips.map(chip => lineOf({ line: 'sending-port', chip }))
  const receiving = chips.map(chip => lineOf({ line: 'receiving-port', chip }))

  for (const [source, messages] of exchange.destinations.entries()) {
    for (const [destination, count] of countsOf(messages, topology.chips).entries()) {
      if (count === 0) continue
      const route = routeOf(topology, source, destination)
      const whole = 2 * timing.port + route.length * timing.hop
      const pass = (line: Line | undefined, before: number) => {
        if (line === undefined) return
        line.flits += count * exchange.flitsPerMessage
        line.before = Math.min(line.before, before)
        line.after = Math.max(line.after, whole - before)
        line.longest = Math.max(line.longest, whole)
      }
      pass(sending[source], 0)
      for (const [hop, link] of route.entries()) pass(links[link], timing.port + hop * timing.hop)
      pass(receiving[destination], whole - timing.port)
    }
  }

  const used = [...links, ...sending, ...receiving].filter(({ flits }) => flits > 0)
  const loads = {
    linkFlits: Float64Array.from(links, ({ flits }) => flits),
    sentFlits: Float64Array.from(sending, ({ flits }) => flits),
    receivedFlits: Float64Array.from(receiving, ({ flits }) => flits),
  }
  const [first, ...others] = used
  if (first === undefined) return { ...nothing, ...loads }
  const slowest = others.reduce((best, line) => (endOf(line) > endOf(best) ? line : best), first)
  return {
    lastData: endOf(slowest),
    acknowledged: cycles(endOf(slowest) + slowest.longest),
    ...loads,
    bottleneck: slowest.name,
    flits: slowest.flits,
    interval: slowest.interval,
    before: cycles(slowest.before),
    after: cycles(slowest.after),
    back: cycles(slowest.longest),
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
  back: cycles(0),
} as const

const endOf = ({ before, flits, interval, after }: Line): Cycles =>
  cycles(before + (flits - 1) * interval + after)

function countsOf(destinations: Int32Array, chips: number): Int32Array {
  const counts = new Int32Array(chips)
  for (const chip of destinations) counts[chip] = (counts[chip] ?? 0) + 1
  return counts
}
