import { describe, expect, test } from 'vitest'
import { flitLatency, linkTiming, sustainedInterval } from '#shared/models/wafer/link-timing.ts'
import { streamTo, timeOf } from '#shared/validation/published-wafer.ts'
import { makeWafer } from '#test/support/make-wafer.ts'

const pair = { x: 2, y: 1 }
const whole = { wholeCyclesPerFlit: true }

describe('time of a flit on a link', () => {
  test.each([
    [1024, 1024, 1, 1],
    [1000, 1024, 1.024, 2],
    [160, 1024, 6.4, 7],
    [160, 640, 4, 4],
    [2048, 1024, 0.5, 1],
  ])('%d GB/s, %d B', (linkGBps, flitBytes, exact, rounded) => {
    const links = { linkGBps, flitBytes }
    expect(linkTiming(makeWafer(pair, links)).interval).toBeCloseTo(exact, 12)
    expect(linkTiming(makeWafer(pair, links, whole)).interval).toBe(rounded)
  })
})

test('a single flit takes 259 cycles for each hop, and 6 at either end', () => {
  const timing = linkTiming(makeWafer(pair, { portLatencyNs: 3 }))
  expect([0, 1, 14].map(hops => flitLatency(hops, timing))).toEqual([12, 271, 3638])
})

test('a wider port takes less time for a flit', () => {
  expect(linkTiming(makeWafer(pair, { portLinks: 4 })).portInterval).toBeCloseTo(0.25, 12)
})

describe('a long stream goes at the sustained interval, credits or not', () => {
  test.each([
    [1024, 10],
    [512, 1],
    [512, 100],
    [256, 10],
    [64, 10],
    [64, 64],
    [1, 1],
  ])('FIFO %d, batch %d', (fifoFlits, creditBatch) => {
    const wafer = makeWafer(pair, { fifoFlits, creditBatch })
    const flits = 200 * fifoFlits
    const { lastData } = timeOf(streamTo(1, flits, 2), wafer, 'event')
    expect(lastData / flits / sustainedInterval(wafer, linkTiming(wafer))).toBeCloseTo(1, 1)
    expect(lastData / flits).toBeGreaterThanOrEqual(linkTiming(wafer).interval)
  })
})
