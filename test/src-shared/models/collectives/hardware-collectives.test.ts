import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  flitsOf,
  hardwareMulticast,
  hardwareReduction,
} from '#shared/models/collectives/hardware-collectives.ts'
import { bytes } from '#shared/units/quantity.ts'
import { makeChip } from '#test/support/make-chip.ts'

const chip = makeChip()
const KIB = 1024

test.each([
  [0, 0],
  [1, 1],
  [128, 1],
  [129, 2],
  [32 * KIB, 256],
])('%d bytes are %d flits of 128', (size, flits) => {
  expect(flitsOf(bytes(size), chip)).toBe(flits)
})

describe('multicast', () => {
  test('grows by one cycle per flit: 256 for 32 KiB more, to 32 tiles', () => {
    const multicast = (size: number) => hardwareMulticast(bytes(size), 32, chip)
    expect(multicast(64 * KIB) - multicast(32 * KIB)).toBeCloseTo(256, 9)
  })

  test('to nobody takes no time', () => {
    expect(hardwareMulticast(bytes(32 * KIB), 1, chip)).toBe(0)
  })

  test('of nothing takes no time', () => {
    expect(hardwareMulticast(bytes(0), 32, chip)).toBe(0)
  })

  test('grows with the distance, not with the copies', () => {
    const time = (tiles: number) => hardwareMulticast(bytes(32 * KIB), tiles, chip)
    expect(time(32) - time(4)).toBeCloseTo(28 * 1.1, 9)
  })

  // Measured on the reference with issue and completion, to 4 tiles. A single flit is faster than
  // the line through the rest, so the smallest size is left out.
  test.each([
    [2, 64.7],
    [4, 98],
    [8, 100.7],
    [16, 166],
    [32, 292.6],
    [64, 548.4],
  ])('of %d KiB takes within 9 % of the measured %d cycles', (size, measured) => {
    const time = hardwareMulticast(bytes(size * KIB), 4, chip)
    expect(Math.abs(time / measured - 1)).toBeLessThan(0.09)
  })
})

describe('reduction', () => {
  test('grows by 1.02 cycles per flit', () => {
    const reduction = (size: number) => hardwareReduction(bytes(size), 32, chip)
    expect(reduction(64 * KIB) - reduction(32 * KIB)).toBeCloseTo(1.02 * 256, 9)
  })

  test('over a single tile takes no time', () => {
    expect(hardwareReduction(bytes(32 * KIB), 1, chip)).toBe(0)
  })

  test('of nothing takes no time', () => {
    expect(hardwareReduction(bytes(0), 32, chip)).toBe(0)
  })

  test.each([
    [8, 109],
    [32, 301],
    [64, 556.5],
  ])('of %d KiB over 4 tiles takes within 5 % of the measured %d cycles', (size, measured) => {
    const time = hardwareReduction(bytes(size * KIB), 4, chip)
    expect(Math.abs(time / measured - 1)).toBeLessThan(0.05)
  })
})

describe('for any size and number of tiles', () => {
  const size = fc.integer({ min: 1, max: 200_000 })
  const participants = fc.integer({ min: 1, max: 256 })

  test('a reduction takes at least as long as a multicast', () => {
    fc.assert(
      fc.property(size, participants, (count, tiles) => {
        expect(hardwareReduction(bytes(count), tiles, chip)).toBeGreaterThanOrEqual(
          hardwareMulticast(bytes(count), tiles, chip),
        )
      }),
    )
  })

  test('more bytes are never faster', () => {
    fc.assert(
      fc.property(size, size, participants, (count, more, tiles) => {
        for (const collective of [hardwareMulticast, hardwareReduction]) {
          expect(collective(bytes(count + more), tiles, chip)).toBeGreaterThanOrEqual(
            collective(bytes(count), tiles, chip),
          )
        }
      }),
    )
  })
})
