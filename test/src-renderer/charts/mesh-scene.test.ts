import { expect, test } from 'vitest'
import { RAMP_STEPS, rampColors, rampStep } from '#renderer/charts/load-ramp.ts'
import {
  channelBoxes,
  meshBoxes,
  meshLayout,
  paintMesh,
  tileAt,
  tileBox,
} from '#renderer/charts/mesh/mesh-scene.ts'
import { meshScale, meshValues } from '#renderer/charts/mesh/mesh-values.ts'
import type { EventActivity } from '#shared/results/event-activity.ts'
import type { EventReport } from '#shared/results/event-report.ts'

const edges = { west: 2, north: 0, east: 0, south: 4 }
const event: EventReport = {
  events: 1,
  iterations: 1,
  simulatedIterations: 1,
  simulatedCycles: 150,
  tiles: { columns: 2, rows: 1, matrix: [], vector: [], dma: [] },
  links: { directions: [], bytes: [], binCycles: 100, series: [] },
  channels: { readBytes: [], writtenBytes: [], binCycles: 100, readSeries: [], writtenSeries: [] },
}
const activity: EventActivity = {
  binCycles: 100,
  bins: 2,
  links: { bytes: Array.from({ length: 10 }, (_, link) => [link, 0]) },
  channels: { read: [[100, 50]], written: [[0, 50]] },
  tiles: {
    matrix: [
      [80, 10],
      [0, 0],
    ],
    vector: [
      [10, 0],
      [0, 50],
    ],
    dma: [
      [0, 0],
      [0, 0],
    ],
  },
}

test('values are shares and bytes for each cycle, of a last interval that is cut short too', () => {
  expect(meshValues(event, activity, 'matrix', 0).tiles).toEqual([0.8, 0])
  expect(meshValues(event, activity, 'vector', 1).tiles).toEqual([0, 1])
  expect(meshValues(event, activity, 'matrix', null).tiles[0]).toBeCloseTo(90 / 150)
  expect(meshValues(event, activity, 'idle', 0).tiles[0]).toBeCloseTo(0.1)
  expect(meshValues(event, activity, 'dma', 1).channels).toEqual([2])
  expect(meshScale(event, activity, false)).toEqual({ links: 0.09, channels: 2 })
})

test('every tile is found where it is drawn; the first is at the bottom left', () => {
  const layout = meshLayout(8, 4, 620, 620)
  for (let tile = 0; tile < 32; tile++) {
    const { x, y, width, height } = tileBox(layout, tile)
    expect(tileAt(layout, x + width / 2, y + height / 2)).toBe(tile)
  }
  expect(tileBox(layout, 0).y).toBeGreaterThan(tileBox(layout, 31).y)
  expect(tileAt(layout, 0, 0)).toBeUndefined()
})

test('channels stand outside the mesh on their edges', () => {
  const layout = meshLayout(2, 1, 400, 400)
  const boxes = channelBoxes(layout, edges)
  expect(boxes).toHaveLength(6)
  expect(boxes.slice(0, 2).every(box => box.x + box.width < layout.left)).toBe(true)
  expect(boxes.slice(2).every(box => box.y > layout.top + layout.cell)).toBe(true)
})

test('the ramp gets darker from step to step, and is turned round on a dark background', () => {
  const lightness = rampColors(false).map(color =>
    [...color.matchAll(/\d+/g)].reduce(
      (sum, [value], at) => sum + Number(value) * ([0.21, 0.72, 0.07][at] ?? 0),
      0,
    ),
  )
  expect(lightness).toEqual(lightness.toSorted((a, b) => b - a))
  expect(rampColors(true)).toEqual(rampColors(false).toReversed())
  expect([rampStep(0), rampStep(1), rampStep(-1), rampStep(7)]).toEqual([
    0,
    RAMP_STEPS - 1,
    0,
    RAMP_STEPS - 1,
  ])
})

test('a mesh of 64 x 64 tiles is painted with few changes of colour, in a time that is printed', () => {
  const values = {
    columns: 64,
    rows: 64,
    tiles: Array.from({ length: 4096 }, (_, tile) => tile / 4096),
    links: Array.from({ length: 5 * 4096 }, (_, link) => link % 64),
    channels: [1, 2, 3, 4, 5, 6],
  }
  const drawn = { boxes: 0, colors: 0 }
  const context = {
    set fillStyle(_: string) {
      drawn.colors++
    },
    fillRect: () => {
      drawn.boxes++
    },
  }
  const paint = () => {
    const layout = meshLayout(64, 64, 620, 620)
    paintMesh(
      context,
      meshBoxes(layout, values, { links: 64, channels: 6 }, edges),
      rampColors(false),
    )
  }
  const times = Array.from({ length: 8 }, () => {
    const start = performance.now()
    paint()
    return performance.now() - start
  })
  const ms = Math.min(...times)
  console.info(`64 x 64 tiles: ${ms.toFixed(2)} ms for a frame without the canvas itself`)
  expect(drawn).toEqual({ boxes: 8 * (5 * 4096 + 6), colors: 8 * RAMP_STEPS })
  expect(ms).toBeLessThan(50)
})
