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

  test.each(measuredOn4('hardware multicast', 128))(
    'of $size bytes to 4 tiles takes within 7 % of the measured $cycles cycles',
    ({ size, cycles }) => {
      expect(Math.abs(hardwareMulticast(bytes(size), 4, chip) / cycles - 1)).toBeLessThan(0.07)
    },
  )

  test('of one line takes a flit each and the way to the last tile, besides the fixed part', () => {
    expect(hardwareMulticast(bytes(512), 8, chip)).toBeCloseTo(38 - 4 * 1.1 + 4 + 7, 9)
  })

  test('of 4 KiB pays the way for each of eight lines', () => {
    expect(hardwareMulticast(bytes(4 * KIB), 32, chip)).toBeCloseTo(33.6 + 32 + 8 * 31, 9)
  })

  test('of two bursts on a long row takes as long as one, as their lines overlap', () => {
    const time = (size: number) => hardwareMulticast(bytes(size), 32, chip)
    expect(time(8 * KIB)).toBe(time(4 * KIB))
  })

  test('hops that take twice as long count twice', () => {
    const slow = makeChip({ noc: { linkBits: 1024, hopCycles: 2 } })
    const more = hardwareMulticast(bytes(KIB), 32, slow) - hardwareMulticast(bytes(KIB), 32, chip)
    expect(more).toBeCloseTo(2 * 31, 9)
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

  // Below, a multicast sends line by line and a reduction does not; measured at 8 KiB, 32 tiles.
  test('a reduction of many bursts takes at least as long as a multicast', () => {
    fc.assert(
      fc.property(fc.integer({ min: 32 * KIB, max: 2 ** 24 }), participants, (count, tiles) => {
        const short = Math.min(32, tiles)
        expect(hardwareReduction(bytes(count), short, chip)).toBeGreaterThanOrEqual(
          hardwareMulticast(bytes(count), short, chip),
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
