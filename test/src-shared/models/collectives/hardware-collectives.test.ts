import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import measured from '#resources/published/collectives-2026.json' with { type: 'json' }
import {
  flitsOf,
  hardwareMulticast,
  hardwareReduction,
} from '#shared/models/collectives/hardware-collectives.ts'
import { bytes } from '#shared/units/quantity.ts'
import { makeChip } from '#test/support/make-chip.ts'

const chip = makeChip()
const KIB = 1024

/** Measured cycles of a collective over 4 tiles. */
const measuredOn4 = (collective: string, leastBytes: number) =>
  measured.rows.flatMap(([name, tiles, size, cycles]) =>
    name === collective && tiles === 4 && Number(size) >= leastBytes
      ? [{ size: Number(size), cycles: Number(cycles) }]
      : [],
  )

test('the measurements are there', () => {
  expect(measuredOn4('hardware multicast', 2 * KIB).length).toBeGreaterThanOrEqual(4)
  expect(measuredOn4('hardware sum reduction', 8 * KIB).length).toBeGreaterThanOrEqual(3)
})

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

  // Less than a few flits are faster than the line through the rest.
  test.each(measuredOn4('hardware multicast', 2 * KIB))(
    'of $size bytes to 4 tiles takes within 9 % of the measured $cycles cycles',
    ({ size, cycles }) => {
      expect(Math.abs(hardwareMulticast(bytes(size), 4, chip) / cycles - 1)).toBeLessThan(0.09)
    },
  )

  test('of 8 KiB takes no longer than the first burst of 4 KiB twice', () => {
    const time = (size: number) => hardwareMulticast(bytes(size), 4, chip)
    expect([time(4 * KIB), time(6 * KIB), time(8 * KIB)]).toEqual([102, 102, 102])
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

  test.each(measuredOn4('hardware sum reduction', 8 * KIB))(
    'of $size bytes over 4 tiles takes within 5 % of the measured $cycles cycles',
    ({ size, cycles }) => {
      expect(Math.abs(hardwareReduction(bytes(size), 4, chip) / cycles - 1)).toBeLessThan(0.05)
    },
  )
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
