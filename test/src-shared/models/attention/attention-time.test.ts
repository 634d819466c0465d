import { describe, expect, test } from 'vitest'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { attentionTime } from '#shared/models/attention/attention-time.ts'
import { attentionTraffic, memoryDemand } from '#shared/models/attention/attention-traffic.ts'
import { flatAsync } from '#shared/models/attention/flat-async.ts'
import { flatSync } from '#shared/models/attention/flat-sync.ts'
import { chipBarrier } from '#shared/models/collectives/barrier.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { meshOf } from '#shared/validation/published-input.ts'
import type { WorkloadConfig } from '#shared/schema/workload.ts'
import { makeChip, makeHbm } from '#test/support/make-chip.ts'
import { ALL_CLOSED, makeKernelShape } from '#test/support/make-kernel-shape.ts'

const chip = resolveChip(meshOf(4, 4))
const group = { groupX: 4, groupY: 4, sliceRows: 128, sliceCols: 128 }

function timeOf(dataflow: Dataflow, workload: Partial<WorkloadConfig>, onChip = chip) {
  const overrides = dataflow.startsWith('flat') ? group : { sliceRows: 128, sliceCols: 128 }
  const shape = makeKernelShape(dataflow, workload, overrides, onChip)
  const traffic = attentionTraffic(dataflow, shape, onChip)
  const demand = memoryDemand(dataflow, traffic, shape, onChip)
  return { shape, demand, ...attentionTime(dataflow, shape, demand, onChip) }
}

const heads = (count: number) => ({ heads: count, kvHeads: count })
const short = { queryLength: 512, kvLength: 512 }

describe('a single group', () => {
  test('has HBM to itself: all limits are equal', () => {
    const { time, aloneCycles, lockStepCycles, driftedCycles, lockStepShare } = timeOf(
      'flat-async',
      {
        ...short,
        ...heads(8),
      },
    )
    expect([time.total, lockStepCycles, driftedCycles]).toEqual([
      aloneCycles,
      aloneCycles,
      aloneCycles,
    ])
    expect(lockStepShare).toBe(1)
  })

  test('interleaves heads in pairs', () => {
    const { shape, time } = timeOf('flat-async', { ...short, ...heads(8) })
    expect(time.total).toBe(flatAsync(shape, 1, chip, ALL_CLOSED).total)
  })

  test('runs a job without partner alone, between the same two barriers', () => {
    const odd = timeOf('flat-async', { ...short, ...heads(5) }).time.total
    const single = timeOf('flat-hc', { ...short, ...heads(1) }).time.total
    const pairs = timeOf('flat-async', { ...short, ...heads(4) }).time.total
    // Five heads lie further apart in memory than one, so that other rows stay open.
    expect(odd / (single + pairs - 2 * chipBarrier(chip))).toBeCloseTo(1, 2)
  })

  test('has nothing to interleave without keys', () => {
    const { shape, time } = timeOf('flat-async', { ...short, ...heads(8), kvLength: 0 })
    expect(time.total).toBe(flatSync('flat-hc', shape, 1, chip, ALL_CLOSED).total)
  })
})

describe('groups that share HBM', () => {
  const tiles = timeOf('fa2', { ...short, ...heads(32), queryLength: 128 })

  test('take between the time of lock-step and that of drifting apart', () => {
    const { time, lockStepShare: share, lockStepCycles, driftedCycles } = tiles
    expect(time.total).toBeCloseTo(share * lockStepCycles + (1 - share) * driftedCycles, 6)
  })

  test('take at least as long as one alone, and longest in lock-step', () => {
    expect(tiles.driftedCycles).toBeGreaterThan(tiles.aloneCycles)
    expect(tiles.lockStepCycles).toBeGreaterThan(tiles.driftedCycles)
  })

  test('count what contention adds as HBM time', () => {
    const alone = timeOf('fa2', { ...short, heads: 1, kvHeads: 1, queryLength: 128 })
    const { hbm, ...others } = tiles.time.components
    expect(others.matrix).toBe(2 * alone.time.components.matrix)
    expect(hbm).toBeGreaterThan(2 * alone.time.components.hbm)
  })

  test('are in lock-step for fewer of their loads the more there are', () => {
    const longer = timeOf('fa2', { queryLength: 128, kvLength: 8192, ...heads(32) })
    expect(longer.lockStepShare).toBeLessThan(tiles.lockStepShare)
  })
})

test('a kernel is never faster than its bytes at the peak', () => {
  const starved = makeChip({ hbm: makeHbm({ south: 1 }, { channelGBps: 0.1, efficiency: 1 }) })
  const { time, demand } = timeOf('flat-hc', { ...short, ...heads(2) }, starved)
  expect(time.total).toBeGreaterThanOrEqual(demand.floor)
})

test('refresh stretches a long kernel that leaves the channels no idle time', () => {
  const strict = {
    ...chip,
    hbm: { ...chip.hbm, postponedRefreshes: 0 },
  }
  const workload = { queryLength: 128, kvLength: 8192, ...heads(64) }
  const postponed = timeOf('fa2', workload)
  const paid = timeOf('fa2', workload, strict)
  expect(paid.refreshStretch).toBeGreaterThan(postponed.refreshStretch)
  expect(paid.time.total).toBeGreaterThan(postponed.time.total)
})
