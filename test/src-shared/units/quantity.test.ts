import { describe, expect, test } from 'vitest'
import {
  bytes,
  bytesPerCycle,
  bytesPerSecond,
  cycles,
  flops,
  flopsPerSecond,
  hertz,
  seconds,
} from '#shared/units/quantity.ts'

const births = {
  bytes,
  bytesPerCycle,
  bytesPerSecond,
  cycles,
  flops,
  flopsPerSecond,
  hertz,
  seconds,
}

describe('quantities', () => {
  test.each(Object.entries(births))('%s keeps the number', (_, quantity) => {
    expect(quantity(12.5)).toBe(12.5)
  })

  test.each(Object.entries(births))('%s refuses what is not finite', (_, quantity) => {
    expect(() => quantity(Number.NaN)).toThrow(new RangeError('not a finite quantity: NaN'))
    expect(() => quantity(1 / 0)).toThrow(new RangeError('not a finite quantity: Infinity'))
  })
})
