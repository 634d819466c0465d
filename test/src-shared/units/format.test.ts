import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatByteRate,
  formatBytes,
  formatCycles,
  formatFlopRate,
  formatFlops,
  formatNumber,
  formatPercent,
  formatQuantity,
  formatRatio,
  formatSeconds,
} from '#shared/units/format.ts'

describe('capacities are binary', () => {
  test('80 GB is 74.506 GiB', () => {
    expect(formatBytes(80e9, 5)).toBe('74.506 GiB')
  })

  test.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [384 * 1024, '384 KiB'],
    [66 * 2 ** 20, '66 MiB'],
    [2 ** 40, '1 TiB'],
    [1024 * 1024 - 1, '1 MiB'],
  ])('%d bytes is %s', (value, text) => {
    expect(formatBytes(value)).toBe(text)
  })
})

describe('rates are decimal', () => {
  test.each([
    [64e9, '64 GB/s'],
    [2.048e12, '2.048 TB/s'],
    [999.99e9, '1 TB/s'],
  ])('%d bytes per second is %s', (value, text) => {
    expect(formatByteRate(value)).toBe(text)
  })

  test('the dense peak of an H100 is 989.4 TFLOPS', () => {
    expect(formatFlopRate(132 * 4096 * 1.83e9)).toBe('989.4 TFLOPS')
  })

  test('1024 tiles of 1024 FLOP per cycle at 1 GHz are 1.049 PFLOPS, not 1024 TFLOPS', () => {
    expect(formatFlopRate(1024 * 1024 * 1e9)).toBe('1.049 PFLOPS')
  })

  test('a count of FLOPs has no "per second"', () => {
    expect(formatFlops(274_877_906_944)).toBe('274.9 GFLOP')
  })
})

describe('time', () => {
  test.each([
    [0, '0 s'],
    [0.008589934592, '8.59 ms'],
    [2.5e-7, '250 ns'],
    [0.0000123, '12.3 µs'],
    [1.5, '1.5 s'],
    [0.9999999, '1 s'],
    [1e-12, '0.001 ns'],
  ])('%d seconds is %s', (value, text) => {
    expect(formatSeconds(value)).toBe(text)
  })
})

describe('plain numbers', () => {
  test.each([
    [1234567, '1,234,567'],
    [12345.678, '12,346'],
    [1.5, '1.5'],
    [0.05, '0.05'],
    [-2.25, '-2.25'],
    [1e300, '1e300'],
    [0.00001234, '1.234e-5'],
  ])('%d is %s', (value, text) => {
    expect(formatNumber(value)).toBe(text)
  })

  test('cycles have thousands separators', () => {
    expect(formatCycles(1_048_576)).toBe('1,048,576 cycles')
  })

  test('percentages are of a fraction', () => {
    expect(formatPercent(0.8934)).toBe('89.3 %')
  })

  test('ratios', () => {
    expect(formatRatio(16.5)).toBe('16.5×')
  })
})

describe('a quantity with the unit of an explanation', () => {
  test.each([
    [2.07, 'cycles', '2.07 cycles'],
    [5000.4, 'cycles', '5,000 cycles'],
    [4096, 'B', '4 KiB'],
    [0.97, '1', '0.97'],
    [512, 'B/cycle', '512 B/cycle'],
    [0.5, '%', '50.0 %'],
    [965e6, 'Hz', '965 MHz'],
  ])('%d %s is %s', (value, unit, text) => {
    expect(formatQuantity(value, unit)).toBe(text)
  })
})

test('what is no number is n/a in every unit', () => {
  const units = ['s', 'B', 'B/s', 'FLOP', 'FLOP/s', '%', '×', '1', '', 'cycles', 'tiles']
  const values = [NaN, Infinity, -Infinity, null, undefined]
  const texts = units.flatMap(unit => values.map(value => formatQuantity(value, unit)))
  expect(new Set(texts)).toEqual(new Set(['n/a']))
})

test('no finite number is shown as NaN, Infinity or undefined', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom('s', 'B', 'B/s', 'FLOP', 'FLOP/s', '%', '×', '1', 'cycles', 'tiles'),
      (value, unit) => {
        expect(formatQuantity(value, unit)).not.toMatch(/NaN|Infinity|undefined/)
      },
    ),
  )
})
