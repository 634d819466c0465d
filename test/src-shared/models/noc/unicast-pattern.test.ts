import { describe, expect, test } from 'vitest'
import {
  busiestLink,
  unicastPattern,
  type UnicastPattern,
} from '#shared/models/noc/unicast-pattern.ts'
import { bytes } from '#shared/units/quantity.ts'
import { makeChip } from '#test/support/make-chip.ts'

type Tile = readonly [x: number, y: number]

const destinations: Readonly<Record<UnicastPattern, (tile: Tile, side: number) => Tile>> = {
  'all-to-one': () => [0, 0],
  dialog: ([x, y], side) => [side - 1 - x, y],
  'round-shift': ([x, y], side) => [(x + 1) % side, y],
}

/** The links of the way from one tile to another: along x first, then along y. */
function* wayOf([fromX, fromY]: Tile, [toX, toY]: Tile): Generator<string> {
  for (let x = fromX; x !== toX; x += Math.sign(toX - fromX)) {
    yield `${String(x)},${String(fromY)} along x, ${String(Math.sign(toX - fromX))}`
  }
  for (let y = fromY; y !== toY; y += Math.sign(toY - fromY)) {
    yield `${String(toX)},${String(y)} along y, ${String(Math.sign(toY - fromY))}`
  }
}

function countedLoad(pattern: UnicastPattern, side: number): number {
  const loads = new Map<string, number>()
  for (let x = 0; x < side; x++) {
    for (let y = 0; y < side; y++) {
      for (const link of wayOf([x, y], destinations[pattern]([x, y], side))) {
        loads.set(link, (loads.get(link) ?? 0) + 1)
      }
    }
  }
  return Math.max(1, ...loads.values())
}

const patterns = ['all-to-one', 'dialog', 'round-shift'] as const
const sides = [1, 2, 3, 4, 5, 8, 11, 16]
const chip = makeChip()

describe.each(patterns)('%s', pattern => {
  test.each(sides)('loads the busiest link of a mesh of side %d as counting says', side => {
    expect(busiestLink(pattern, side)).toBe(countedLoad(pattern, side))
  })

  test('takes at least the flits of one transfer, and longer on larger meshes', () => {
    const times = sides.map(side => unicastPattern(pattern, bytes(8192), side, chip))
    expect(times[0]).toBe(14 + 64)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })
})

test('the way counts once, the flits for each transfer on the busiest link', () => {
  expect(unicastPattern('all-to-one', bytes(1024), 4, chip)).toBe(14 + 6 + 12 * 8)
  expect(unicastPattern('dialog', bytes(1024), 4, chip)).toBe(14 + 3 + 2 * 8)
})
