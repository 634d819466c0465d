import { describe, expect, test } from 'vitest'
import type { Exchange } from '#shared/models/wafer/exchange.ts'
import { simulateExchange } from '#shared/models/wafer/simulate-exchange.ts'
import { topologyOf } from '#shared/models/wafer/topology.ts'
import { allToAll, streamTo, timeOf } from '#shared/validation/published-wafer.ts'
import { makeWafer } from '#test/support/make-wafer.ts'

const exchangeOf = (flitsPerMessage: number, ...lists: readonly number[][]): Exchange => ({
  flitsPerMessage,
  destinations: lists.map(list => Int32Array.from(list)),
})
const row = (chips: number) => makeWafer({ x: chips, y: 1 }, { portLatencyNs: 3 })

test('nothing to send takes no time', () => {
  expect(timeOf(exchangeOf(7, [], []), row(2), 'event')).toMatchObject({
    lastData: 0,
    acknowledged: 0,
  })
})

test('a flit takes its latency, its acknowledgement the same again', () => {
  expect(timeOf(streamTo(2, 1, 3), row(3), 'event')).toMatchObject({
    lastData: 530,
    acknowledged: 1060,
  })
})

test('what a chip sends to itself goes through its router only', () => {
  const { lastData, linkFlits } = timeOf(exchangeOf(1, [0], []), row(2), 'event')
  expect(lastData).toBe(12)
  expect([...linkFlits]).toEqual([0, 0])
})

test('two chips that share a link share its bandwidth', () => {
  // 100 flits each from chips 0 and 1 to chip 2: the link from 1 to 2 carries 200.
  const both = exchangeOf(100, [2], [2], [])
  const { lastData, linkFlits } = timeOf(both, row(3), 'event')
  expect(linkFlits.reduce((sum, flits) => Math.max(sum, flits), 0)).toBe(200)
  // The own chip fills the link until the others come, which then have it to themselves.
  expect(lastData).toBe(259 + 99 + 271)
})

test('chips that come at the same time take turns', () => {
  // Chips 1 and 3 are both one hop from 2, and send to it; its port is the bottleneck.
  const { lastData } = timeOf(exchangeOf(100, [], [2], [], [2]), row(4), 'event')
  expect(lastData).toBe(271 + 199)
})

test('two directions do not disturb each other', () => {
  const alone = timeOf(streamTo(1, 500, 2), row(2), 'event')
  const both = timeOf(
    exchangeOf(1, Array<number>(500).fill(1), Array<number>(500).fill(0)),
    row(2),
    'event',
  )
  expect(both.lastData).toBe(alone.lastData)
})

test('a sender without credits waits for them', () => {
  const wafer = makeWafer({ x: 2, y: 1 }, { portLatencyNs: 3, fifoFlits: 4, creditBatch: 2 })
  // Flit 4 needs the credits of flits 0 and 1: those are back 513 cycles after flit 1.
  expect(timeOf(streamTo(1, 4, 2), wafer, 'event').lastData).toBe(271 + 3)
  expect(timeOf(streamTo(1, 5, 2), wafer, 'event').lastData).toBe(271 + 1 + 513)
})

test('is the same every time, and says how far it is', () => {
  const wafer = makeWafer({ x: 8, y: 8 })
  const topology = topologyOf('mesh', wafer)
  const run = () => {
    const simulation = simulateExchange(allToAll(64, 16), topology, wafer)
    const seen: number[] = []
    for (;;) {
      const step = simulation.next()
      if (step.done === true) return { seen, time: step.value }
      expect(step.value.total).toBe(64 * 63 * 16)
      seen.push(step.value.done)
    }
  }
  const first = run()
  expect(first.seen.length).toBeGreaterThan(2)
  expect(first.seen).toEqual(first.seen.toSorted((a, b) => a - b))
  expect(run()).toEqual(first)
})

describe('the end of an exchange', () => {
  test('is the acknowledgement of the last message of each chip, wherever it went', () => {
    // Chip 0 sends far first and near last: the data that went far is never acknowledged.
    const { lastData, acknowledged } = timeOf(
      exchangeOf(1, [7, 0], ...Array.from({ length: 7 }, () => [])),
      row(8),
      'event',
    )
    expect(lastData).toBe(1825)
    expect(acknowledged).toBe(1 + 12 + 12)
  })

  test('an acknowledgement waits for the data of its chip', () => {
    const lists = [[1], Array<number>(1000).fill(0)]
    expect(timeOf(exchangeOf(1, ...lists), row(2), 'event').acknowledged).toBe(1000 + 271 + 270)
  })
})
