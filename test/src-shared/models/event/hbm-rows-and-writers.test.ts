import { describe, expect, test } from 'vitest'
import { HBM_ROW_LATENCY } from '#shared/models/constants.ts'
import { channelsBehind, HbmChannels, memoryLatencies } from '#shared/models/event/hbm-channels.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { makeChipConfig, makeHbm } from '#test/support/make-chip.ts'

const chip = resolveChip(makeChipConfig({ tiles: { x: 2, y: 2 }, hbm: makeHbm({ south: 1 }) }))
const line = chip.noc.flit
const set = channelsBehind(['south'], chip)

describe('a channel', () => {
  test('answers after the latency of an open row, which a closed one lengthens', () => {
    const channels = new HbmChannels(chip, memoryLatencies(chip))
    expect(channels.openLatency).toBeCloseTo(HBM_ROW_LATENCY.open * chip.hbm.latency, 9)
    const opening = (HBM_ROW_LATENCY.closed - HBM_ROW_LATENCY.open) * chip.hbm.latency
    expect(channels.openingTime(0, set)).toBeCloseTo(opening, 9)
    expect(channels.readLine(0, 100, set, line)).toBeCloseTo(
      100 + channels.service + channels.openLatency,
      9,
    )
    expect(channels.openingTime(line, set)).toBe(0)
  })

  test('keeps a row open that somebody has used before', () => {
    const channels = new HbmChannels(chip)
    channels.openRowOf(0, set)
    expect(channels.openingTime(0, set)).toBe(0)
    expect(channels.openingTime(1e9, set)).toBeGreaterThan(0)
  })

  test('buffers the lines of a tile that goes on writing, and not those of tiles in turn', () => {
    const last = (writerOf: (index: number) => number | undefined) => {
      const channels = new HbmChannels(chip)
      const ends = Array.from({ length: 100 }, (_, index) =>
        channels.writeLine(index * line, 0, set, line, writerOf(index)),
      )
      return (ends.at(-1) ?? NaN) / channels.service
    }
    expect(last(() => 0)).toBeCloseTo(99 / 1.33, 6)
    expect(last(index => index % 2)).toBeCloseTo(99, 6)
    expect(last(() => undefined)).toBeCloseTo(100, 6)
  })
})
