import {
  bytes,
  bytesPerCycle,
  bytesPerSecond,
  cycles,
  hertz,
  seconds,
  type Bytes,
  type BytesPerCycle,
  type BytesPerSecond,
  type Cycles,
  type Hertz,
  type Seconds,
} from '#shared/units/quantity.ts'

/** Capacities are binary (KiB, GiB), rates are decimal (GB/s). */
export const fromKiB = (value: number): Bytes => bytes(value * 2 ** 10)
export const fromGiB = (value: number): Bytes => bytes(value * 2 ** 30)
export const fromGBps = (value: number): BytesPerSecond => bytesPerSecond(value * 1e9)
export const fromGHz = (value: number): Hertz => hertz(value * 1e9)
export const fromBits = (value: number): Bytes => bytes(value / 8)

export const perCycle = (rate: BytesPerSecond, clock: Hertz): BytesPerCycle =>
  bytesPerCycle(rate / clock)
export const perSecond = (rate: BytesPerCycle, clock: Hertz): BytesPerSecond =>
  bytesPerSecond(rate * clock)
export const durationOf = (count: Cycles, clock: Hertz): Seconds => seconds(count / clock)
/** The chip cycles that pass in `nanoseconds`. */
export const cyclesInNanoseconds = (nanoseconds: number, clock: Hertz): Cycles =>
  cycles(nanoseconds * 1e-9 * clock)
