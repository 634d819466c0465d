import { describe, expect, test } from 'vitest'
import {
  cyclesInNanoseconds,
  durationOf,
  fromBits,
  fromGBps,
  fromGHz,
  fromGiB,
  fromKiB,
  perCycle,
  perSecond,
} from '#shared/units/convert.ts'
import { bytesPerCycle, cycles, hertz } from '#shared/units/quantity.ts'

describe('capacities are binary and rates are decimal', () => {
  test('384 KiB are 393,216 bytes', () => {
    expect(fromKiB(384)).toBe(393_216)
  })

  test('80 GB are 74.506 GiB', () => {
    expect(80e9 / fromGiB(1)).toBeCloseTo(74.506, 3)
  })

  test('96 GB and 96 GiB differ', () => {
    expect(fromGiB(96) - 96e9).toBe(7_079_215_104)
  })

  test('32 GiB at 4.0 TB/s take 8.590 ms', () => {
    const milliseconds = (fromGiB(32) / fromGBps(4000)) * 1e3
    expect(milliseconds).toBeCloseTo(8.59, 3)
  })

  test('1.93 GHz are 1.93e9 Hz', () => {
    expect(fromGHz(1.93)).toBe(1.93e9)
  })

  test('a link of 1024 bits carries 128 bytes', () => {
    expect(fromBits(1024)).toBe(128)
  })
})

describe('between cycles and time', () => {
  test.each([
    [2048, 0.965, 2122.3],
    [4096, 0.965, 4244.6],
    [4096, 1.93, 2122.3],
  ])('%d GB/s at %d GHz are %d bytes per cycle', (rate, clock, expected) => {
    expect(perCycle(fromGBps(rate), fromGHz(clock))).toBeCloseTo(expected, 1)
  })

  test('a rate per cycle comes back from a rate per second', () => {
    const clock = hertz(0.965e9)
    expect(perCycle(perSecond(bytesPerCycle(512), clock), clock)).toBeCloseTo(512, 9)
  })

  test('965,000 cycles at 965 MHz last 1 ms', () => {
    expect(durationOf(cycles(965_000), fromGHz(0.965))).toBe(1e-3)
  })

  test('150 ns at 2 GHz are 300 cycles', () => {
    expect(cyclesInNanoseconds(150, fromGHz(2))).toBeCloseTo(300, 9)
  })
})
