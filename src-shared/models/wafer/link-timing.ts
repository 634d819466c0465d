import type { Wafer } from '#shared/hardware/wafer.ts'
import { CREDIT_TURN_CYCLES } from '#shared/models/constants.ts'
import { perCycle } from '#shared/units/convert.ts'
import { cycles, type Cycles } from '#shared/units/quantity.ts'

type Links = Pick<Wafer, 'd2d' | 'artefacts'>

/** When flits follow one another and how long they are under way, in cycles of the links. */
export interface LinkTiming {
  /** From flit to flit on a link. */
  readonly interval: Cycles
  /** From flit to flit at the port of a chip. */
  readonly portInterval: Cycles
  /** From the head of a link to behind the next router. */
  readonly hop: Cycles
  /** From a chip to behind its router, or from there to the chip. */
  readonly port: Cycles
  /** From sending a flit until the credit for it could be used, if it came alone. */
  readonly creditLoop: Cycles
}

/**
 * Times of a die-to-die link and of a chip's port.
 *
 *   Δ = F / β,  Δ_port = F / (β · w),  hop = L + r,  port = l + r,  loop = 2·L + 1
 *
 * Δ  cycles from flit to flit     F  flit                 β  link bandwidth per cycle
 * w  portLinks                    L  latency of a link    l  latency of a port    r  router pipeline
 *
 * With the artefact wholeCyclesPerFlit both intervals are rounded up to whole cycles: 1,024 bytes at
 * 160 GB/s and 1 GHz take 7 cycles, not 6.4, which is 146 GB/s.
 *
 * Source: single flits and streams on the reference simulator
 *   (resources/published/chip-to-chip-calibration-2026.json).
 * Holds when: all links are alike. A flit counts as there when a hop is over, whatever its Δ, so that a
 *   stream of N takes N − 1 intervals, as measured.
 * Checked by: the validation set d2d-calibration-2026, exactly.
 */
export function linkTiming({ d2d, artefacts }: Links): LinkTiming {
  const rate = perCycle(d2d.bandwidth, d2d.clock)
  const whole = (interval: number): Cycles =>
    cycles(artefacts.wholeCyclesPerFlit ? Math.ceil(interval) : interval)
  return {
    interval: whole(d2d.flit / rate),
    portInterval: whole(d2d.flit / (rate * d2d.portLinks)),
    hop: cycles(d2d.latency + d2d.router),
    port: cycles(d2d.portLatency + d2d.router),
    creditLoop: cycles(2 * d2d.latency + CREDIT_TURN_CYCLES),
  }
}

/**
 * One way of a single flit over `hops` links, from chip to chip.
 *
 *   T = 2·(l + r) + h·(L + r)
 *
 * Symbols and source as for linkTiming.
 * Holds when: nothing else is under way.
 * Checked by: the validation set d2d-calibration-2026, exactly, for 0 to 14 hops.
 */
export const flitLatency = (hops: number, timing: LinkTiming): Cycles =>
  cycles(2 * timing.port + hops * timing.hop)

/**
 * Mean cycles from flit to flit on a link that its credits may hold up.
 *
 *   Δ_s = Δ + max(0, loop + (b − 1 − D)·Δ) / n,  n = b·⌊D / b⌋
 *
 * D  receive FIFO, the credits of the sender    b  flits whose credits come back together
 *
 * The sender has used up its D credits before the first b come back: it stands still once in every n
 * flits, after which the credits of the first batch let it go on.
 *
 * Source: the credit loop as on the reference simulator; other symbols as for linkTiming.
 * Holds when: the receiver hands flits on at once, and the stream is much longer than D.
 * Checked by: test/src-shared/models/wafer/link-timing.test.ts, against the simulated link.
 */
export function sustainedInterval({ d2d }: Links, timing: LinkTiming): Cycles {
  const { interval, creditLoop } = timing
  const stall = creditLoop + (d2d.creditBatch - 1 - d2d.fifoFlits) * interval
  const flits = d2d.creditBatch * Math.floor(d2d.fifoFlits / d2d.creditBatch)
  return cycles(interval + Math.max(0, stall) / flits)
}
