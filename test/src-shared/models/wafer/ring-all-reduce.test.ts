import { expect, test } from 'vitest'
import { estimateExchange } from '#shared/models/wafer/estimate-exchange.ts'
import { ringAllReduce } from '#shared/models/wafer/ring-all-reduce.ts'
import { fromGBps } from '#shared/units/convert.ts'
import { bytes, seconds } from '#shared/units/quantity.ts'
import { topologyOf } from '#shared/models/wafer/topology.ts'
import { allToAll } from '#shared/validation/published-wafer.ts'
import { makeWafer } from '#test/support/make-wafer.ts'

const [size, link, none] = [bytes(100e6), fromGBps(50), seconds(0)]

test('100 MB over 8 nodes at 50 GB/s take 3.5 ms', () => {
  expect(ringAllReduce(size, [8], link, none)).toBeCloseTo(3.5e-3, 12)
})

test('the order of the dimensions of a grid does not matter: 1.875 times the bytes over the link', () => {
  for (const dimensions of [[2, 8], [8, 2], [16]]) {
    expect(ringAllReduce(size, dimensions, link, none)).toBeCloseTo((1.875 * 100e6) / 50e9, 12)
  }
})

test('each step pays a hop, and one member pays nothing', () => {
  expect(ringAllReduce(bytes(0), [8], link, seconds(1e-6))).toBeCloseTo(14e-6, 12)
  expect(ringAllReduce(size, [1], link, seconds(1e-6))).toBe(0)
})

test('more nodes take longer, more bandwidth is faster', () => {
  const time = (nodes: number, rate: number) => ringAllReduce(size, [nodes], fromGBps(rate), none)
  expect(time(16, 50)).toBeGreaterThan(time(8, 50))
  expect(time(8, 100)).toBeCloseTo(time(8, 50) / 2, 12)
})

test('in one step each way over a switch it is no faster than by a ring', () => {
  const links = { topology: 'switch', linkGBps: 50, linkLatencyNs: 0, portLatencyNs: 0 } as const
  const wafer = makeWafer({ x: 8, y: 1 }, { ...links, flitBytes: 1000 })
  // Every node sends an eighth to each other one and sums; the sums go the same way back.
  const oneWay = estimateExchange(allToAll(8, 12_500), topologyOf('switch', wafer), wafer)
  const time = (2 * oneWay.lastData) / wafer.d2d.clock
  expect(time / ringAllReduce(size, [8], link, none)).toBeCloseTo(1, 2)
})
