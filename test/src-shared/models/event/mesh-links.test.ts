import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linkDirections, MeshLinks } from '#shared/models/event/mesh-links.ts'
import { makeChip } from '#test/support/make-chip.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const HOP = 2.5
const FLIT = 128

function makeLinks(columns: number, rows: number): MeshLinks {
  return new MeshLinks(
    makeChip({ tiles: { x: columns, y: rows }, noc: { linkBits: FLIT * 8, hopCycles: HOP } }),
  )
}

const runAt = (head: number, flits: number) => ({ head, tail: head + flits - 1 })

/** Links that carried something: 'x,y direction' with their bytes. */
function used(links: MeshLinks): Record<string, number> {
  const entries: [string, number][] = []
  for (let link = 0; link < links.bytes.lines; link++) {
    const bytes = links.bytes.total(link)
    const tile = Math.floor(link / linkDirections.length)
    const direction = linkDirections[link % linkDirections.length] ?? ''
    const place = `${String(tile % links.columns)},${String(Math.floor(tile / links.columns))}`
    if (bytes > 0) entries.push([`${place} ${direction}`, bytes])
  }
  return Object.fromEntries(entries)
}

const totalOf = (links: MeshLinks) =>
  Object.values(used(links)).reduce((sum, bytes) => sum + bytes, 0)

const side = fc.integer({ min: 1, max: 9 })
const flits = fc.integer({ min: 1, max: 300 })

/** Two tiles of a mesh. */
const path = fc.record({ columns: side, rows: side }).chain(({ columns, rows }) =>
  fc.record({
    columns: fc.constant(columns),
    rows: fc.constant(rows),
    from: fc.nat({ max: columns * rows - 1 }),
    to: fc.nat({ max: columns * rows - 1 }),
  }),
)

const distance = (columns: number, from: number, to: number) =>
  Math.abs((from % columns) - (to % columns)) +
  Math.abs(Math.floor(from / columns) - Math.floor(to / columns))

describe('MeshLinks', () => {
  test('an idle path takes its hops for the head, and the flits behind it for the tail', () => {
    fc.assert(
      fc.property(path, flits, fc.nat({ max: 10_000 }), ({ columns, rows, from, to }, n, start) => {
        const links = makeLinks(columns, rows)
        const run = runAt(start, n)
        links.route(from, to, run, n)
        const hops = distance(columns, from, to)
        expect(run.head).toBeCloseTo(start + hops * HOP, 6)
        expect(run.tail).toBeCloseTo(start + hops * HOP + n - 1, 6)
      }),
      propertyRuns(200),
    )
  })

  test('a run goes along its row first, then along its column', () => {
    const links = makeLinks(4, 3)
    links.route(0, 4 * 2 + 2, runAt(0, 1), 1)
    expect(used(links)).toEqual({
      '0,0 east': FLIT,
      '1,0 east': FLIT,
      '2,0 north': FLIT,
      '2,1 north': FLIT,
    })
    const back = makeLinks(4, 3)
    back.route(4 * 2 + 2, 0, runAt(0, 1), 1)
    expect(used(back)).toEqual({
      '2,2 west': FLIT,
      '1,2 west': FLIT,
      '0,2 south': FLIT,
      '0,1 south': FLIT,
    })
  })

  test('every link of a path carries every byte, and no other link any', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(path, flits), { maxLength: 5 }), runs => {
        const links = makeLinks(9, 9)
        let expected = 0
        for (const [{ from, to }, n] of runs) {
          links.route(from, to, runAt(0, n), n)
          expected += distance(9, from, to) * n * FLIT
        }
        expect(totalOf(links)).toBe(expected)
      }),
      propertyRuns(100),
    )
  })

  test('of two runs on one link the second waits for the first; on others neither does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 9 }), flits, (columns, n) => {
        const links = makeLinks(columns, 2)
        const [first, second, elsewhere] = [runAt(0, n), runAt(0, n), runAt(0, n)]
        links.route(0, columns - 1, first, n)
        links.route(0, columns - 1, second, n)
        links.route(columns, 2 * columns - 1, elsewhere, n)
        const idle = (columns - 1) * HOP
        expect(first.tail).toBeCloseTo(idle + n - 1, 6)
        expect(second.head).toBeCloseTo(idle + n, 6)
        expect(second.tail).toBeCloseTo(idle + 2 * n - 1, 6)
        expect(elsewhere).toEqual(first)
      }),
      propertyRuns(100),
    )
  })

  test('opposite directions of a link are two links', () => {
    const links = makeLinks(2, 1)
    const [there, back] = [runAt(0, 50), runAt(0, 50)]
    links.route(0, 1, there, 50)
    links.route(1, 0, back, 50)
    expect(back).toEqual(there)
  })

  test('a tile injects one flit per cycle', () => {
    const links = makeLinks(2, 1)
    const [first, second] = [runAt(0, 40), runAt(0, 40)]
    links.inject(0, first, 40)
    links.inject(0, second, 40)
    expect([first.tail, second.head, second.tail]).toEqual([39, 40, 79])
  })

  test.each([
    ['west', 2, ['2,1 west', '1,1 west', '0,1 west']],
    ['east', 1, ['2,1 east', '3,1 east']],
    ['south', 1, ['2,1 south', '2,0 south']],
    ['north', 2, ['2,1 north', '2,2 north', '2,3 north']],
  ] as const)('leaves to the %s straight, and out of the last router', (edge, hops, expected) => {
    const links = makeLinks(4, 4)
    const run = runAt(0, 10)
    links.leave(4 + 2, edge, run, 10)
    expect(Object.keys(used(links)).toSorted()).toEqual(expected.toSorted())
    expect(run.head).toBe((hops + 1) * HOP)
  })

  test('what leaves by the last router of a line waits only on the links before it', () => {
    const links = makeLinks(1, 2)
    const [lower, upper] = [runAt(0, 100), runAt(0, 100)]
    links.leave(0, 'south', lower, 100)
    links.leave(1, 'south', upper, 100)
    expect(lower.head).toBe(HOP)
    expect(upper.head).toBe(2 * HOP)
  })

  test('a copy for a rectangle passes exactly one link into each of its other tiles', () => {
    const area = fc
      .record({ columns: side, rows: side, x: fc.nat({ max: 5 }), y: fc.nat({ max: 5 }) })
      .chain(rectangle =>
        fc.record({
          area: fc.constant(rectangle),
          x: fc.integer({ min: rectangle.x, max: rectangle.x + rectangle.columns - 1 }),
          y: fc.integer({ min: rectangle.y, max: rectangle.y + rectangle.rows - 1 }),
        }),
      )
    fc.assert(
      fc.property(area, flits, ({ area: rectangle, x, y }, n) => {
        const links = makeLinks(15, 15)
        const run = runAt(0, n)
        links.spread(y * 15 + x, rectangle, run, n)
        const passed = used(links)
        expect(new Set(Object.values(passed)).size).toBeLessThanOrEqual(1)
        expect(totalOf(links)).toBe((rectangle.columns * rectangle.rows - 1) * n * FLIT)
        const reached = Object.keys(passed).map(behind)
        const all = Array.from({ length: rectangle.columns * rectangle.rows }, (_, index) => {
          const column = rectangle.x + (index % rectangle.columns)
          const row = rectangle.y + Math.floor(index / rectangle.columns)
          return `${String(column)},${String(row)}`
        })
        expect([`${String(x)},${String(y)}`, ...reached].toSorted()).toEqual(all.toSorted())
        const farX = Math.max(x - rectangle.x, rectangle.x + rectangle.columns - 1 - x)
        const farY = Math.max(y - rectangle.y, rectangle.y + rectangle.rows - 1 - y)
        expect(run.tail).toBeCloseTo((farX + farY) * HOP + n - 1, 6)
      }),
      propertyRuns(150),
    )
  })
})

/** The tile behind a link. */
function behind(link: string): string {
  const [place = '', direction = ''] = link.split(' ')
  const [x = 0, y = 0] = place.split(',').map(Number)
  const step = { east: [1, 0], west: [-1, 0], north: [0, 1], south: [0, -1] }[direction] ?? [0, 0]
  return `${String(x + (step[0] ?? 0))},${String(y + (step[1] ?? 0))}`
}
