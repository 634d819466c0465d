import { describe, expect, test } from 'vitest'
import { totalCycles } from '#shared/models/attention/timeline.ts'
import { summaL1Bytes, summaShape } from '#shared/models/summa/summa-shape.ts'
import { summaTime } from '#shared/models/summa/summa-time.ts'
import { summaTraffic } from '#shared/models/summa/summa-traffic.ts'
import type { SummaGrid } from '#shared/mapping/summa-grid.ts'
import type { GemmWorkload } from '#shared/workload/gemm.ts'
import { makeChip, makeHbm } from '#test/support/make-chip.ts'

const chip = makeChip({ tiles: { x: 4, y: 4 }, hbm: makeHbm({ south: 4 }) })
const workload: GemmWorkload = { m: 512, n: 512, k: 1024, batch: 1, dtype: 'fp16' }
const grid: SummaGrid = {
  tileM: 128,
  tileN: 128,
  tileK: 128,
  groupX: 4,
  groupY: 4,
  groups: 1,
  split: 'none',
}
const shape = (changes: Partial<GemmWorkload>, cut: Partial<SummaGrid> = {}) =>
  summaShape({ ...workload, ...changes }, { ...grid, ...cut }, chip)
const total = (changes: Partial<GemmWorkload>, cut: Partial<SummaGrid> = {}) =>
  summaTime(shape(changes, cut), chip).time.total

describe('time of a SUMMA kernel', () => {
  test('grows by a matrix operation and its overhead with each step that hides its loads', () => {
    expect(total({ k: 2048 }) - total({ k: 1024 })).toBeCloseTo(8 * (4193 + 21 + 4 * 3.2), 6)
  })

  test('grows by the chain of loads where the matrix operation is shorter', () => {
    const { costs } = summaTime(shape({}, { tileM: 16, groupY: 4 }), chip)
    const step = total({ k: 2048 }, { tileM: 16 }) - total({ k: 1024 }, { tileM: 16 })
    expect(totalCycles(costs.chain)).toBeGreaterThan(costs.matrix)
    expect(step / outputBlocks({ tileM: 16 })).toBeCloseTo(8 * totalCycles(costs.chain), 6)
  })

  test('pays each panel a load that nothing hides', () => {
    const { costs } = summaTime(shape({}), chip)
    const added = total({ n: 1024 }) - total({ n: 512 })
    expect(added).toBeCloseTo(totalCycles(costs.chain) + 8 * (costs.matrix + costs.stepOverhead), 6)
  })

  test('sums over the groups only where the contraction is split', () => {
    const flat = { groupY: 1, tileM: 128 }
    const sum = (cut: Partial<SummaGrid>) =>
      summaTime(shape({ m: 128 }, { ...flat, ...cut }), chip).time.components['sum-reduction']
    expect(sum({ groups: 4, split: 'k' })).toBeGreaterThan(0)
    expect(sum({ groups: 4, split: 'n' })).toBe(0)
    expect(sum({ groups: 1, split: 'none' })).toBe(0)
  })

  describe('load of W', () => {
    const loads = (cut: Partial<SummaGrid>, k = 128) => {
      const { chain } = summaTime(shape({ m: 128, n: 512, k }, cut), chip).costs
      const named = (name: string) => chain.find(part => part.name === name)?.cycles ?? Number.NaN
      return { x: named('load of X'), multicast: named('multicast of X'), w: named('load of W') }
    }
    // 128 x 128 elements of two bytes for every tile, from four channels.
    const rate = chip.hbm.efficiency * 4 * (chip.hbm.channelRate / chip.clock)
    const row = { groupX: 4, groupY: 1, groups: 4, split: 'k' } as const

    test('is under way while X is on its way to a few of the tiles', () => {
      const { x, multicast, w } = loads(row, 512)
      const all = (20 * 128 * 128 * 2) / rate
      expect(x + multicast + w).toBeGreaterThanOrEqual(all)
      expect(x + multicast + w).toBeLessThan(all + 300)
    })

    test('begins after X where every tile that loads W loads X, too', () => {
      const { w } = loads({ tileM: 32, groupX: 4, groupY: 4 })
      expect(w).toBeGreaterThan((4 * 128 * 128 * 2) / rate)
    })
  })

  test('has neither multicast nor barrier on a single tile', () => {
    const one = makeChip({ tiles: { x: 1, y: 1 }, hbm: makeHbm({ south: 1 }) })
    const alone = summaShape(workload, { ...grid, groupX: 1, groupY: 1 }, one)
    const { components } = summaTime(alone, one).time
    expect(components.multicast).toBe(0)
    expect(components.matrix).toBeCloseTo(16 * 8 * 4193, 6)
  })

  test('is stretched by refresh once the channels may not put it off', () => {
    const hbm = makeHbm({ south: 4 }, { postponedRefreshes: 0 })
    const busy = makeChip({ tiles: { x: 4, y: 4 }, hbm })
    const thin = shape({}, { tileM: 16 })
    expect(summaTime(thin, chip).stretch).toBe(1)
    expect(summaTime(thin, busy).stretch).toBeCloseTo(1 / (1 - 0.26 / 3), 3)
    expect(summaTime(thin, busy).time.total).toBeGreaterThan(summaTime(thin, chip).time.total)
  })
})

const outputBlocks = (cut: Partial<SummaGrid>): number => shape({}, cut).outputBlocks

describe('traffic', () => {
  test('reads X for each panel of columns, W for each of rows, and writes Z once', () => {
    const traffic = summaTraffic(shape({ m: 1024, n: 1536 }))
    expect(traffic).toMatchObject({
      xBytes: 3 * 2 * 1024 * 1024,
      wBytes: 2 * 2 * 1024 * 1536,
      zBytes: 2 * 1024 * 1536,
      executedFlops: 2 * 1024 * 1536 * 1024,
    })
  })

  test('counts the panel of a last, smaller group', () => {
    // Three groups take 342, 342 and 340 of 1024 columns, in panels of 128: 3 each.
    const traffic = summaTraffic(shape({ m: 128, n: 1024 }, { groupX: 1, groups: 3, split: 'n' }))
    expect(traffic.columnPanels).toBe(9)
  })

  test('executes whole tiles and whole steps', () => {
    expect(summaTraffic(shape({ m: 1, n: 1, k: 1 })).executedFlops).toBe(2 * 512 * 512 * 128)
  })
})

test('L1 holds two blocks of X and of W, and a second Z where panels follow each other', () => {
  expect(summaL1Bytes(grid, 1, 'fp16')).toBe(160 * 1024)
  expect(summaL1Bytes(grid, 2, 'fp16')).toBe(192 * 1024)
  expect(summaL1Bytes(grid, 2, 'fp8')).toBe(96 * 1024)
})
