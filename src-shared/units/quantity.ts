declare const unitOf: unique symbol

/**
 * A number whose unit is part of its type; the unit is erased at run time.
 *
 * Stops a wrong argument or field. It does not stop `bytes + cycles`, which TypeScript sees as
 * number + number: give the sum a type and let that object.
 */
export type Quantity<Unit extends string> = number & { readonly [unitOf]: Unit }

export type Bytes = Quantity<'B'>
export type Cycles = Quantity<'cycle'>
export type Seconds = Quantity<'s'>
export type Hertz = Quantity<'Hz'>
export type BytesPerCycle = Quantity<'B/cycle'>
export type BytesPerSecond = Quantity<'B/s'>
/** A multiply and an add are two FLOPs. */
export type Flops = Quantity<'FLOP'>
export type FlopsPerSecond = Quantity<'FLOP/s'>

/** The only cast to a unit: every quantity is born here, and is finite. */
function quantity<Unit extends string>(value: number): Quantity<Unit> {
  if (!Number.isFinite(value)) throw new RangeError(`not a finite quantity: ${String(value)}`)
  return value as Quantity<Unit>
}

export const bytes = (value: number): Bytes => quantity<'B'>(value)
export const cycles = (value: number): Cycles => quantity<'cycle'>(value)
export const seconds = (value: number): Seconds => quantity<'s'>(value)
export const hertz = (value: number): Hertz => quantity<'Hz'>(value)
export const bytesPerCycle = (value: number): BytesPerCycle => quantity<'B/cycle'>(value)
export const bytesPerSecond = (value: number): BytesPerSecond => quantity<'B/s'>(value)
export const flops = (value: number): Flops => quantity<'FLOP'>(value)
export const flopsPerSecond = (value: number): FlopsPerSecond => quantity<'FLOP/s'>(value)
