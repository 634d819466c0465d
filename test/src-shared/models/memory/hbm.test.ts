import { describe, expect, test } from 'vitest'
import measured from '#resources/published/dma-2026.json' with { type: 'json' }
import {
  accessLatency,
  allChannels,
  concurrentLoad,
  concurrentStore,
  drainedStore,
  hasTwoAxes,
  linkBandwidth,
  operandHome,
  peakHbmBandwidth,
  refreshStretch,
} from '#shared/models/memory/hbm.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { bytes, cycles } from '#shared/units/quantity.ts'
import { meshOf, presetChip } from '#shared/validation/published-input.ts'
import { makeChip, makeHbm } from '#test/support/make-chip.ts'

/** 32 channels of 64 GB/s south of 32 × 32 tiles at 965 MHz. */
const chip = makeChip()
const onTwoEdges = resolveChip(presetChip('flat-2025'))
const south = operandHome('column', chip)
const peakPerCycle = 2048 / 0.965
const latency = 150 * 0.965 + 32

describe('peak', () => {
  test('is channels times their rate', () => {
    expect(peakHbmBandwidth(chip)).toBe(2048e9)
  })

  test('counts the channels of all edges', () => {
    expect(peakHbmBandwidth(onTwoEdges)).toBe(2048e9)
  })
})

describe('home of an operand', () => {
  test('is the only edge with channels', () => {
    expect(operandHome('row', chip)).toEqual(south)
    expect(south).toMatchObject({ edgeCount: 1, axis: 'column' })
    expect(south.bandwidth).toBeCloseTo(peakPerCycle, 9)
  })

  test('is west for Q and south for K and V where there are channels on both', () => {
    expect(hasTwoAxes(onTwoEdges)).toBe(true)
    expect(operandHome('row', onTwoEdges)).toEqual({ bandwidth: 1024, edgeCount: 1, axis: 'row' })
    expect(operandHome('column', onTwoEdges)).toMatchObject({ bandwidth: 1024, axis: 'column' })
  })

  test('is shared by opposite edges', () => {
    const opposite = makeChip({ hbm: makeHbm({ north: 8, south: 24 }) })
    expect(hasTwoAxes(opposite)).toBe(false)
    expect(operandHome('row', opposite)).toMatchObject({ edgeCount: 2, axis: 'column' })
  })

  test('is along rows where all channels are west or east', () => {
    const sideways = makeChip({ hbm: makeHbm({ east: 32 }) })
    expect(allChannels(sideways)).toMatchObject({ edgeCount: 1, axis: 'row' })
  })
})

describe('load', () => {
  const load = (loaders: number, loadersPerLine: number, size = 32 * 1024, dmaRows = 1) =>
    concurrentLoad(
      { home: south, loaders, loadersPerLine, bytesPerLoader: bytes(size), dmaRows },
      chip,
    )

  test('waits for the closed row and for the hops from the middle of the mesh and back', () => {
    expect(accessLatency(south, chip)).toBeCloseTo(latency, 9)
  })

  test('of a lone tile goes at one flit per cycle', () => {
    expect(load(1, 1)).toBeCloseTo(latency + 256, 9)
  })

  // The longer the transfer, the less its start matters, of which only the mean is known.
  test.each(measured.allTilesRead.rows)(
    'of all tiles at once: mesh %d, %d channels, %d bytes each, within 3 or 9 % of %d cycles',
    (side, channels, size, cycles) => {
      const mesh = resolveChip(meshOf(side, channels))
      const time = concurrentLoad(
        {
          home: operandHome('column', mesh),
          loaders: side * side,
          loadersPerLine: side,
          bytesPerLoader: bytes(size),
          dmaRows: 1,
        },
        mesh,
      )
      expect(Math.abs(time / cycles - 1)).toBeLessThan(size >= 32 * 1024 ? 0.03 : 0.09)
    },
  )

  test('of a part of a flit takes a whole one', () => {
    expect(load(1, 1, 8 * 128 + 1)).toBeCloseTo(latency + 9, 9)
  })

  test('of one tile in each column is bound by the channels', () => {
    expect(load(32, 1)).toBeCloseTo(latency + 2 ** 20 / (0.98 * peakPerCycle), 6)
  })

  test('of a whole column is bound by its line of links', () => {
    expect(load(32, 32)).toBeCloseTo(latency + 32 * 256, 9)
  })

  test('of many short rows is bound by the DMA, which issues one in 3 cycles', () => {
    expect(load(1, 1, 32 * 1024, 128)).toBeCloseTo(latency + 3 * 128, 9)
  })

  test('of rows that are not aligned takes the flits that they touch', () => {
    const one = { home: south, loaders: 1, loadersPerLine: 1, dmaRows: 1 }
    const time = concurrentLoad({ ...one, bytesPerLoader: bytes(1024), flitsPerLoader: 13 }, chip)
    expect(time).toBeCloseTo(latency + 13, 9)
  })

  test('takes no time for nothing', () => {
    expect([load(1, 1, 0), load(0, 1)]).toEqual([0, 0])
  })
})

describe('store', () => {
  const store = (loaders: number, loadersPerLine: number, size = 32 * 1024) =>
    concurrentStore(
      { home: south, loaders, loadersPerLine, bytesPerLoader: bytes(size), dmaRows: 1 },
      chip,
    )

  test('waits for no latency', () => {
    expect(store(1, 1)).toBe(20 + 256)
  })

  test('is taken faster than the channels write', () => {
    expect(store(1024, 1)).toBeCloseTo(20 + 2 ** 25 / (1.33 * 0.98 * peakPerCycle), 6)
  })

  test('takes no time for nothing', () => {
    expect(store(1, 1, 0)).toBe(0)
  })

  test('that fills the write buffers goes at the rate of a load', () => {
    const load = { home: south, loaders: 1024, loadersPerLine: 1, dmaRows: 1 }
    const drained = (size: number) => drainedStore({ ...load, bytesPerLoader: bytes(size) }, chip)
    expect(drained(32 * 1024)).toBeCloseTo(20 + 2 ** 25 / (0.98 * peakPerCycle), 6)
    expect(drained(0)).toBe(0)
  })
})

describe('links to an edge', () => {
  test('carry a flit per cycle and line: 32 columns of 128 bytes', () => {
    expect(linkBandwidth(south, chip)).toBe(4096)
  })

  test('are as many as the rows for an edge in the west, for each of two edges', () => {
    const tall = makeChip({ tiles: { x: 4, y: 16 }, hbm: makeHbm({ west: 1, east: 1 }) })
    expect(linkBandwidth(allChannels(tall), tall)).toBe(2 * 16 * 128)
  })
})

describe('refresh', () => {
  const microseconds = (value: number) => cycles(value * 1e-6 * chip.clock)

  test('is put off in a kernel of less than 128 intervals', () => {
    expect(refreshStretch(microseconds(383), chip)).toBe(1)
  })

  test('is paid for what cannot be put off', () => {
    expect(refreshStretch(microseconds(768), chip)).toBeCloseTo(1 / (1 - (128 * 0.26) / 768), 9)
  })

  test('is paid in full where none is put off: 0.26 µs of every 3 µs', () => {
    const strict = makeChip({ hbm: { ...presetChip('flat-2026').hbm, postponedRefreshes: 0 } })
    expect(refreshStretch(microseconds(1), strict)).toBeCloseTo(3 / (3 - 0.26), 9)
  })
})
