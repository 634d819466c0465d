import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  localTransfer,
  loneHbmRead,
  loneHbmWrite,
  remoteRead,
  remoteWrite,
} from '#shared/models/memory/lone-transfer.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { bytes } from '#shared/units/quantity.ts'
import { meshOf } from '#shared/validation/published-input.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const chip = resolveChip(meshOf(8, 8))
const kib = (count: number) => bytes(count * 1024)
const between = { read: remoteRead, write: remoteWrite, load: loneHbmRead, store: loneHbmWrite }

describe('a transfer between tiles', () => {
  test('is read at one flit per cycle after 15 cycles, its way and the lines of a burst', () => {
    expect(remoteRead(kib(1), 6, chip)).toBe(15 + 6 + 8 + 2)
    expect(remoteRead(kib(32), 6, chip)).toBe(15 + 6 + 256 + 8)
  })

  test('is written line by line within a burst of 4 KiB, each line going all the way', () => {
    expect(remoteWrite(kib(4), 14, chip)).toBe(12 + 8 * 15 + 32)
    expect(remoteWrite(kib(16), 3, chip)).toBe(14 + 3 + 128)
  })
})

describe('a transfer with HBM', () => {
  const open = 0.21 * 150 * 0.965

  test('is loaded at one flit per cycle after an open row', () => {
    expect(loneHbmRead(kib(16), 7, chip)).toBeCloseTo(18 + open + 7 + 128, 9)
  })

  test('is loaded at the rate of its channel where there is only one', () => {
    const channel = (0.98 * 64) / 0.965
    const time = loneHbmRead(kib(64), 0, resolveChip(meshOf(8, 1)))
    expect(time).toBeCloseTo(18 + open + 65_536 / channel, 6)
  })

  test('is stored without waiting for it, and faster than the channel writes', () => {
    expect(loneHbmWrite(kib(64), 0, chip)).toBe(16 + 512)
    const channel = (1.33 * 0.98 * 64) / 0.965
    const time = loneHbmWrite(kib(64), 0, resolveChip(meshOf(8, 1)))
    expect(time).toBeCloseTo(16 + 65_536 / channel, 6)
  })
})

test('within L1 takes one line per cycle, and zeros one cycle more', () => {
  expect(localTransfer(kib(32), 'copy', chip)).toBe(11 + 64)
  expect(localTransfer(kib(32), 'zeros', chip)).toBe(12 + 64)
  expect(localTransfer(bytes(0), 'copy', chip)).toBe(0)
})

describe.each(Object.entries(between))('%s', (_, transfer) => {
  test('takes no time for nothing, and never less for more bytes or a longer way', () => {
    expect(transfer(bytes(0), 3, chip)).toBe(0)
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.integer({ min: 1, max: 5000 }),
        fc.integer({ min: 0, max: 62 }),
        (size, more, hops) => {
          const time = transfer(bytes(size), hops, chip)
          expect(transfer(bytes(size + more), hops, chip)).toBeGreaterThanOrEqual(time)
          expect(transfer(bytes(size), hops + 1, chip)).toBeGreaterThanOrEqual(time)
          expect(time).toBeGreaterThan(size / chip.noc.flit)
        },
      ),
      propertyRuns(300),
    )
  })
})
