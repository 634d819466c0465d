import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  flitsOf,
  hardwareMulticast,
  hardwareReduction,
} from '#shared/models/collectives/hardware-collectives.ts'
import type { TileArea } from '#shared/models/event/tile-area.ts'
import { TileMachine } from '#shared/models/event/tile-machine.ts'
import { bytes } from '#shared/units/quantity.ts'
import { makeChip } from '#test/support/make-chip.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const chip = makeChip({ tiles: { x: 8, y: 8 } })

const makeMachine = () => new TileMachine(chip, { timelineTiles: [], sampledTiles: [] })

const finish = (machine: TileMachine) => {
  while (machine.simulator.run(1000));
}

const row = (y: number): TileArea => ({ x: 0, y, columns: 8, rows: 1 })

const KIB_32 = 32_768

describe('a collective on an idle mesh', () => {
  test('takes the time of its formula, from any tile of any line', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 7 }),
        fc.nat({ max: 7 }),
        fc.integer({ min: 1, max: 200_000 }),
        (x, y, size) => {
          const machine = makeMachine()
          const multicast = machine.multicast(machine.tileAt(x, y), row(y), size, 'copy')
          finish(machine)
          expect(multicast.time).toBeCloseTo(hardwareMulticast(bytes(size), 8, chip), 6)
          const other = makeMachine()
          const column = { x, y: 0, columns: 1, rows: 8 }
          const reduction = other.reduce(other.tileAt(x, y), column, size, 'sum', 'sum-reduction')
          finish(other)
          expect(reduction.time).toBeCloseTo(hardwareReduction(bytes(size), 8, chip), 6)
        },
      ),
      propertyRuns(60),
    )
  })

  test('between two tiles takes a flit per cycle and its software', () => {
    const machine = makeMachine()
    const unicast = machine.unicast(0, 7, KIB_32, 18, 'copy', 'multicast')
    finish(machine)
    expect(unicast.time).toBe(18 + flitsOf(bytes(KIB_32), chip))
  })

  test('of nothing is over at once', () => {
    const machine = makeMachine()
    expect(machine.multicast(0, row(0), 0, 'copy').time).toBe(0)
  })
})

describe('collectives that share links', () => {
  /** How much later than alone the last of some multicasts is. */
  const delay = (sources: readonly (readonly [number, number])[]): number => {
    const machine = makeMachine()
    const all = sources.map(([x, y]) =>
      machine.multicast(machine.tileAt(x, y), row(y), KIB_32, 'copy'),
    )
    finish(machine)
    const alone = hardwareMulticast(bytes(KIB_32), 8, chip)
    return Math.max(...all.map(({ time }) => time)) - alone
  }
  const flits = flitsOf(bytes(KIB_32), chip)

  test.each([2, 3, 4])('%d from one tile wait for each other', count => {
    const waited = delay(Array.from({ length: count }, () => [0, 0] as const))
    expect(waited).toBeGreaterThan((count - 1) * flits - 40)
    expect(waited).toBeLessThan((count - 1) * flits + 40)
  })

  test('from both ends of a row do not, since each direction has its links', () => {
    expect(
      delay([
        [0, 0],
        [7, 0],
      ]),
    ).toBeCloseTo(0, 6)
  })

  test('from two tiles of a row that send the same way do', () => {
    expect(
      delay([
        [0, 0],
        [1, 0],
      ]),
    ).toBeGreaterThan(flits - 40)
  })

  test('in different rows do not', () => {
    expect(
      delay([
        [0, 0],
        [0, 1],
        [3, 2],
      ]),
    ).toBeCloseTo(0, 6)
  })
})
