import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { channelsBehind, HbmChannels } from '#shared/models/event/hbm-channels.ts'
import { HbmTransfers } from '#shared/models/event/hbm-transfer.ts'
import { MeshLinks } from '#shared/models/event/mesh-links.ts'
import { Simulator } from '#shared/models/event/simulator.ts'
import type { ChipConfig } from '#shared/schema/chip.ts'
import { makeChip, makeHbm } from '#test/support/make-chip.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const KIB = 1024

/** Transfers on an idle chip of 4 × 4 tiles with memory at its south edge. */
function makeMemory(south: number, changes: Partial<ChipConfig> = {}) {
  const chip = makeChip({ tiles: { x: 4, y: 4 }, hbm: makeHbm({ south }), ...changes })
  const simulator = new Simulator()
  const links = new MeshLinks(chip)
  const channels = new HbmChannels(chip)
  const set = channelsBehind(['south'], chip)
  const transfers = new HbmTransfers(chip, links, channels, simulator)
  const contiguous = (address: number, size: number) => ({
    set,
    address,
    rows: 1,
    rowBytes: size,
    stride: size,
  })
  return {
    chip,
    links,
    channels,
    set,
    read: (tile: number, address: number, size: number) =>
      transfers.start(tile, contiguous(address, size), false),
    write: (tile: number, address: number, size: number) =>
      transfers.start(tile, contiguous(address, size), true),
    readRows: (tile: number, rows: number, rowBytes: number, stride: number) =>
      transfers.start(tile, { set, address: 0, rows, rowBytes, stride }, false),
    finish: () => {
      while (simulator.run(1000));
    },
    now: () => simulator.now,
  }
}

/** Cycles for tiles that each read the same amount at the same moment. */
function readTimes(memory: ReturnType<typeof makeMemory>, tiles: readonly number[], size: number) {
  const all = tiles.map((tile, index) => memory.read(tile, index * size, size))
  memory.finish()
  return all.map(({ time }) => time)
}

describe('a lone tile', () => {
  test('reads one flit per cycle, behind a latency', () => {
    const time = (size: number) => readTimes(makeMemory(32), [0], size)[0] ?? 0
    expect(time(64 * KIB) - time(32 * KIB)).toBeCloseTo(256, 0)
    const { channels, set } = makeMemory(32)
    const latency = channels.openLatency + channels.openingTime(0, set)
    // The first turn of 16 flits sets out while the row opens.
    expect(time(32 * KIB)).toBeGreaterThan(256 - 16 + latency)
    expect(time(32 * KIB)).toBeLessThan(256 + latency)
  })

  test('is served as fast as its channel where that is slower', () => {
    const { channels } = makeMemory(1)
    const time = (size: number) => readTimes(makeMemory(1), [0], size)[0] ?? 0
    expect(time(64 * KIB) - time(32 * KIB)).toBeCloseTo(256 * channels.service, -1)
  })

  test('has no more flits under way than columns + rows + 64', () => {
    const slow = { hbm: makeHbm({ south: 32 }, { latencyNs: 2000 }) }
    const time = (size: number) => readTimes(makeMemory(32, slow), [0], size)[0] ?? 0
    const { channels, chip } = makeMemory(32, slow)
    const window = 4 + 4 + 64
    const roundTrip = channels.openLatency + channels.service + chip.noc.hop
    const measured = (time(1024 * KIB) - time(512 * KIB)) / (512 * KIB)
    const expected = roundTrip / (window * chip.noc.flit)
    expect(measured / expected).toBeGreaterThan(0.97)
    expect(measured / expected).toBeLessThan(1.05)
  })

  test('starts a row of a rectangle every few cycles', () => {
    const time = (rows: number) => {
      const memory = makeMemory(32)
      const done = memory.readRows(0, rows, 128, 4 * KIB)
      memory.finish()
      return done.time
    }
    const { chip } = makeMemory(32)
    expect(time(256) - time(128)).toBeCloseTo(128 * chip.control.dmaRowIssue, 6)
  })

  test('sends its queued transfers one behind the other, without a latency between them', () => {
    const memory = makeMemory(32)
    const [first, second] = [memory.read(0, 0, 16 * KIB), memory.read(0, 16 * KIB, 16 * KIB)]
    memory.finish()
    expect(second.time - first.time).toBeCloseTo(128, -1)
  })

  test('stores in fewer cycles than it loads, since stores are posted', () => {
    const memory = makeMemory(32)
    const stored = memory.write(0, 0, 32 * KIB)
    memory.finish()
    expect(stored.time).toBeLessThan(readTimes(makeMemory(32), [0], 32 * KIB)[0] ?? 0)
    expect(stored.time).toBeGreaterThanOrEqual(256)
  })

  test('moves nothing in no time', () => {
    expect(makeMemory(1).read(0, 0, 0).time).toBe(0)
  })
})

describe('tiles that load at the same moment', () => {
  const oneOfEachColumn = [0, 5, 10, 15]

  test('take turns on the channels: they end within two turns of each other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 4, max: 32 }), (south, kib) => {
        const memory = makeMemory(south)
        const times = readTimes(memory, oneOfEachColumn, kib * KIB)
        const turn = (16 * 4 * memory.channels.service) / south
        expect(Math.max(...times) - Math.min(...times)).toBeLessThan(2 * turn)
      }),
      propertyRuns(60),
    )
  })

  test('together take the time that the channels need for all of them', () => {
    for (const south of [1, 2, 4]) {
      const memory = makeMemory(south)
      const latest = Math.max(...readTimes(memory, oneOfEachColumn, 32 * KIB))
      const busy = (4 * 256 * memory.channels.service) / south
      expect(latest).toBeGreaterThan(busy)
      expect(latest).toBeLessThan(busy + memory.chip.hbm.latency + 30)
    }
  })

  test('of one column share its link: four take the time of three, as was measured', () => {
    // 860 cycles: the tile at the edge has its own way out.
    const column = [0, 4, 8, 12]
    const latest = Math.max(...readTimes(makeMemory(32), column, 32 * KIB))
    expect(Math.abs(latest / 860 - 1)).toBeLessThan(0.08)
    const apart = Math.max(...readTimes(makeMemory(32), oneOfEachColumn, 32 * KIB))
    expect(latest).toBeGreaterThan(2 * apart)
  })

  test('wait once for a row to open, and not at all where it is open', () => {
    const memory = makeMemory(32)
    const opening = memory.channels.openingTime(0, memory.set)
    const both = [memory.read(0, 0, 4 * KIB), memory.read(1, 4 * KIB, 4 * KIB)]
    memory.finish()
    const first = Math.max(...both.map(({ time }) => time))
    const start = memory.now()
    const again = memory.read(0, 0, 4 * KIB)
    memory.finish()
    expect(opening).toBeGreaterThan(50)
    expect(first - (again.time - start)).toBeGreaterThan(opening - 20)
    expect(first - (again.time - start)).toBeLessThan(opening + 20)
  })
})

describe('whatever is moved', () => {
  test('every byte passes its channel once, and the links towards it', () => {
    const transfer = fc.record({
      tile: fc.nat({ max: 15 }),
      address: fc.nat({ max: 100_000 }),
      size: fc.integer({ min: 1, max: 20_000 }),
      isWrite: fc.boolean(),
    })
    fc.assert(
      fc.property(
        fc.array(transfer, { maxLength: 12 }),
        fc.integer({ min: 1, max: 9 }),
        (all, south) => {
          const memory = makeMemory(south)
          const done = all.map(({ tile, address, size, isWrite }) =>
            (isWrite ? memory.write : memory.read)(tile, address, size),
          )
          memory.finish()
          const sum = (isWrite: boolean) =>
            all.filter(one => one.isWrite === isWrite).reduce((total, { size }) => total + size, 0)
          const counted = (bins: typeof memory.channels.read) =>
            Array.from({ length: south }, (_, line) => bins.total(line)).reduce((a, b) => a + b, 0)
          expect(counted(memory.channels.read)).toBe(sum(false))
          expect(counted(memory.channels.written)).toBe(sum(true))
          expect(done.every(({ time }) => Number.isFinite(time))).toBe(true)
        },
      ),
      propertyRuns(100),
    )
  })
})
