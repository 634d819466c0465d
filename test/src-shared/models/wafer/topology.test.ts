import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { routeOf, topologyOf } from '#shared/models/wafer/topology.ts'
import { d2dTopologies } from '#shared/schema/system.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const grid = { columns: 8, rows: 8 }
const hops = (kind: (typeof d2dTopologies)[number], from: number, to: number) =>
  routeOf(topologyOf(kind, grid), from, to).length

describe('hops from corner to corner and half way across', () => {
  test.each([
    ['mesh', 14, 4, 224],
    ['torus', 2, 4, 256],
    ['flattened-butterfly', 2, 1, 896],
    ['switch', 2, 2, 128],
  ] as const)('%s: %d and %d, over %d links', (kind, corner, half, links) => {
    expect(hops(kind, 0, 63)).toBe(corner)
    expect(hops(kind, 0, 4)).toBe(half)
    expect(topologyOf(kind, grid).links).toHaveLength(links)
  })
})

test('a mesh goes along x first', () => {
  const topology = topologyOf('mesh', { columns: 3, rows: 2 })
  const visited = routeOf(topology, 0, 5).map(link => topology.links[link]?.to)
  expect(visited).toEqual([1, 2, 5])
})

test('chips on even places of a torus go up where both ways are as long, the others down', () => {
  const topology = topologyOf('torus', { columns: 4, rows: 1 })
  const via = (from: number, to: number) => topology.links[routeOf(topology, from, to)[0] ?? -1]?.to
  expect([via(0, 2), via(1, 3), via(2, 0), via(3, 1)]).toEqual([1, 0, 3, 2])
})

test('a torus of two chips on a side is a mesh', () => {
  const two = { columns: 2, rows: 2 }
  expect(topologyOf('torus', two)).toEqual(topologyOf('mesh', two))
})

test('one chip has no links', () => {
  for (const kind of ['mesh', 'torus', 'flattened-butterfly'] as const) {
    expect(topologyOf(kind, { columns: 1, rows: 1 }).links).toEqual([])
  }
})

test('every route is as short as the topology allows, and the torus never longer than the mesh', () => {
  const side = fc.integer({ min: 1, max: 9 })
  fc.assert(
    fc.property(side, side, fc.nat(), fc.nat(), (columns, rows, a, b) => {
      const chips = columns * rows
      const [from, to] = [a % chips, b % chips]
      const lengths = d2dTopologies.map(
        kind => routeOf(topologyOf(kind, { columns, rows }), from, to).length,
      )
      const along = (size: number, one: number, other: number) => Math.abs(one - other) % size
      const x = along(columns, from % columns, to % columns)
      const y = Math.abs(Math.floor(from / columns) - Math.floor(to / columns))
      expect(lengths).toEqual([
        x + y,
        Math.min(x, columns - x) + Math.min(y, rows - y),
        Math.min(x, 1) + Math.min(y, 1),
        from === to ? 0 : 2,
      ])
    }),
    propertyRuns(200),
  )
})
