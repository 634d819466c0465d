import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { POSTED_WRITE_RATE } from '#shared/models/constants.ts'
import { channelsBehind, HbmChannels } from '#shared/models/event/hbm-channels.ts'
import { makeChip, makeHbm } from '#test/support/make-chip.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

type Changes = Parameters<typeof makeHbm>[1]

function makeChannels(south: number, changes: Changes = {}) {
  const chip = makeChip({ hbm: makeHbm({ south }, changes) })
  return { chip, channels: new HbmChannels(chip), set: channelsBehind(['south'], chip) }
}

/** How many of some lines lie on each channel. */
function spread(count: number, lines: readonly number[]): number[] {
  const { chip, channels, set } = makeChannels(count)
  const counts = Array.from({ length: count }, () => 0)
  for (const line of lines) {
    const channel = channels.channelOf(line * chip.noc.flit, set)
    counts[channel] = (counts[channel] ?? 0) + 1
  }
  return counts
}

describe('interleaving', () => {
  test('numbers the channels edge by edge', () => {
    const chip = makeChip({ hbm: makeHbm({ west: 2, north: 1, east: 3, south: 2 }) })
    expect(channelsBehind(['south', 'west'], chip)).toEqual({
      channels: [0, 1, 6, 7],
      edges: ['west', 'south'],
      edgeOf: ['west', 'west', 'south', 'south'],
      bits: 2,
    })
    expect(channelsBehind(['east'], chip)).toMatchObject({ channels: [3, 4, 5], bits: undefined })
  })

  test('spreads strides of any power of two evenly over a power of two of channels', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 0, max: 14 }),
        fc.nat({ max: 7 }),
        (bits, stride, block) => {
          const count = 2 ** bits
          const base = block * count * 2 ** stride
          const lines = Array.from({ length: count }, (_, index) => base + index * 2 ** stride)
          expect(spread(count, lines)).toEqual(Array.from({ length: count }, () => 1))
        },
      ),
      propertyRuns(300),
    )
  })

  test('spreads a contiguous operand evenly over any number of channels', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.nat({ max: 1e6 }), (count, block) => {
        const lines = Array.from({ length: 3 * count }, (_, index) => block * count + index)
        expect(spread(count, lines)).toEqual(Array.from({ length: count }, () => 3))
      }),
      propertyRuns(300),
    )
  })
})

describe('HbmChannels', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => index)

  test('one channel takes the time of a line for each read, one after the other', () => {
    const { channels, set } = makeChannels(1, { postponedRefreshes: 1024 })
    const back = lines(200).map(line => channels.readLine(line * 128, 0, set, 128))
    expect(back[0]).toBeCloseTo(channels.service + channels.openLatency, 9)
    expect((back[199] ?? 0) - (back[0] ?? 0)).toBeCloseTo(199 * channels.service, 6)
    expect(channels.read.total(0)).toBe(200 * 128)
  })

  test('takes posted writes sooner than it reads, until its buffers are full', () => {
    const { channels, set } = makeChannels(1, { postponedRefreshes: 1024 })
    const taken = lines(2000).map(line => channels.writeLine(line * 128, 0, set, 128, 0))
    const interval = (line: number) => (taken[line + 1] ?? 0) - (taken[line] ?? 0)
    expect(interval(10)).toBeCloseTo(channels.service / POSTED_WRITE_RATE, 6)
    expect(interval(1500)).toBeCloseTo(channels.service, 6)
    // 32 KiB wait at most.
    const written = 2000 * channels.service
    expect(taken[1999]).toBeGreaterThan(written - 257 * channels.service)
    expect(taken[1999]).toBeLessThan(written)
  })

  test('puts off refreshes up to the limit, and then pays each', () => {
    const { chip, channels, set } = makeChannels(1, { postponedRefreshes: 8 })
    const interval = 3e-6 * chip.clock
    const refresh = 0.26e-6 * chip.clock
    const owedAfter = (intervals: number): number => {
      const { channels: fresh, set: own } = makeChannels(1, { postponedRefreshes: 8 })
      const count = Math.floor((intervals * interval) / fresh.service)
      const back = lines(count).map(line => fresh.readLine(line * 128, 0, own, 128))
      return (back.at(-1) ?? 0) - fresh.openLatency - count * fresh.service
    }
    expect(channels.channelOf(0, set)).toBe(0)
    expect(owedAfter(7.5)).toBeCloseTo(0, 6)
    expect(owedAfter(30)).toBeGreaterThan(21 * refresh)
    expect(owedAfter(30)).toBeLessThan(26 * refresh)
  })

  test('makes up for put-off refreshes while it idles', () => {
    const { chip, channels, set } = makeChannels(1, { postponedRefreshes: 8 })
    const interval = 3e-6 * chip.clock
    const busy = Math.floor((7.5 * interval) / channels.service)
    lines(busy).forEach(line => channels.readLine(line * 128, 0, set, 128))
    // Ten refreshes fit into the pause; what is owed afterwards starts from nothing.
    const later = 12 * interval
    const again = lines(busy).map(line => channels.readLine(line * 128, later, set, 128))
    const stall = (again.at(-1) ?? 0) - channels.openLatency - later - busy * channels.service
    // A refresh is longer than a slot of the service lines, within which nothing is exact.
    expect(Math.abs(stall)).toBeLessThan(32)
    expect(0.26e-6 * chip.clock).toBeGreaterThan(200)
  })

  test('a row is closed until it is read, and stays open', () => {
    const { channels, set } = makeChannels(1)
    expect(channels.openingTime(0, set)).toBeGreaterThan(0)
    channels.readLine(0, 0, set, 128)
    expect(channels.openingTime(0, set)).toBe(0)
    // Another row of the same bank.
    const other = 4 * 16_384
    expect(channels.openingTime(other, set)).toBeGreaterThan(0)
    channels.readLine(other, 0, set, 128)
    expect(channels.openingTime(0, set)).toBeGreaterThan(0)
  })
})
