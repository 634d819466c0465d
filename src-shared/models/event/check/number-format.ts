/** A binary floating-point format, or double precision itself. */
export interface NumberFormat {
  readonly name: string
  /** Bits of the significand, with the leading one. */
  readonly precision: number
  /** Exponent of the smallest normal number. */
  readonly minExponent: number
  readonly largest: number
  /** What becomes of larger numbers. */
  readonly overflow: 'infinity' | 'saturate'
}

export const FLOAT64: NumberFormat = {
  name: 'FP64',
  precision: 53,
  minExponent: -1022,
  largest: Number.MAX_VALUE,
  overflow: 'infinity',
}

/** IEEE 754 binary16: 5 bits of exponent, 10 of fraction. */
export const FLOAT16: NumberFormat = {
  name: 'FP16',
  precision: 11,
  minExponent: -14,
  largest: 65504,
  overflow: 'infinity',
}

/**
 * FP8 E4M3: 4 bits of exponent, 3 of fraction, no infinities; larger numbers saturate at 448.
 *
 * Source: Open Compute Project, OCP 8-bit Floating Point Specification (OFP8), revision 1.0.
 */
export const FLOAT8_E4M3: NumberFormat = {
  name: 'FP8 E4M3',
  precision: 4,
  minExponent: -6,
  largest: 448,
  overflow: 'saturate',
}

/** Largest relative error of one rounding of a normal number: u = 2^−p. */
export const unitRoundoff = ({ precision }: NumberFormat): number => 2 ** -precision

/** Largest error of one rounding of a number below the normal ones: half of their distance. */
export const underflowError = ({ minExponent, precision }: NumberFormat): number =>
  2 ** (minExponent - precision)

/**
 * The nearest number of a format; of two equally near ones the even one.
 *
 * Source: IEEE 754-2019, Section 4.3.1, with gradual underflow.
 * Checked by: test/src-shared/models/event/check/number-format.test.ts: all numbers of both formats
 *   and the middles between them.
 */
export function roundTo(value: number, format: NumberFormat): number {
  if (format.precision >= 53 || value === 0 || !Number.isFinite(value)) return value
  const magnitude = Math.abs(value)
  const exponent = Math.max(exponentOf(magnitude), format.minExponent)
  const spacing = powerOfTwo(exponent - format.precision + 1)
  const rounded = nearestInteger(magnitude / spacing) * spacing
  if (rounded <= format.largest) return value < 0 ? -rounded : rounded
  const limit = format.overflow === 'infinity' ? Infinity : format.largest
  return value < 0 ? -limit : limit
}

const bits = new DataView(new ArrayBuffer(8))

/** ⌊log2⌋ of a positive number, or −1023 where it is below the normal ones of double precision. */
function exponentOf(magnitude: number): number {
  bits.setFloat64(0, magnitude)
  return (bits.getUint16(0) >> 4) - 1023
}

const LEAST_POWER = -1074
const powers = Float64Array.from({ length: 1024 - LEAST_POWER }, (_, at) => 2 ** (at + LEAST_POWER))

/** 2 to a whole number; raising it each time takes longer than the rounding. */
const powerOfTwo = (exponent: number): number => powers[exponent - LEAST_POWER] ?? 0

/** Adding 2⁵² leaves no bits for the fraction: the addition rounds it, to even where it is a half. */
const nearestInteger = (value: number): number => value + 2 ** 52 - 2 ** 52
