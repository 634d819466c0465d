import { describe, expect, test } from 'vitest'
import { chipFlopsPerCycle } from '#shared/hardware/chip.ts'
import { attentionKernel } from '#shared/models/attention/attention-kernel.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { MappingOverrides } from '#shared/mapping/mapping-overrides.ts'
import { resolveChip, type ChipConfig } from '#shared/schema/chip.ts'
import type { WorkloadConfig } from '#shared/schema/workload.ts'
import { presetChip } from '#shared/validation/published-input.ts'
import { makeChip, makeChipConfig, makeHbm } from '#test/support/make-chip.ts'
import { makeKernelShape } from '#test/support/make-kernel-shape.ts'

function resultOf(
  dataflow: Dataflow,
  workload: Partial<WorkloadConfig> = {},
  overrides: MappingOverrides = {},
  config: ChipConfig = makeChipConfig(),
) {
  const chip = resolveChip(config)
  const shape = makeKernelShape(dataflow, workload, overrides, chip)
  return attentionKernel(dataflow, shape, chip).result
}

const layer = { batch: 2, heads: 32, kvHeads: 32 }
const group32 = { groupX: 32, groupY: 32 }

test('a chip of 32 × 32 tiles has 1,048,576 FLOPs per cycle', () => {
  expect(chipFlopsPerCycle(makeChip())).toBe(1_048_576)
})

describe('FlatAsync of the layer of Fig. 8, D 128, S 4096', () => {
  const result = resultOf('flat-async', layer, group32)

  test('runs at 92 % of the peak, give or take a point', () => {
    expect(Math.abs(result.matrixUtilization - 0.92)).toBeLessThan(0.015)
  })

  test('moves each byte once', () => {
    expect(result.hbmReadBytes + result.hbmWriteBytes).toBe(268_435_456)
    expect(result.hbmWriteBytes).toBe(67_108_864)
  })

  test('has 512 times as many FLOPs, none of them wasted', () => {
    expect(result.usefulFlops).toBe(4 * 128 * 4096 * 4096 * 64)
    expect(result.executedFlops).toBe(result.usefulFlops)
    expect(result.arithmeticIntensity).toBe(2048)
  })

  test('is bound by compute', () => {
    expect(result.bound).toBe('compute')
  })

  test('uses the engine at 97.69 % while it is busy', () => {
    expect(result.matrixActiveUtilization).toBeCloseTo(4096 / 4193, 12)
  })

  test('lasts as long as its cycles at the clock of the chip', () => {
    expect(result.seconds).toBe(result.cycles / 0.965e9)
  })

  test('needs 322.5 KiB of L1', () => {
    expect(result.l1PeakBytes).toBe(330_240)
  })

  test('reports its mapping', () => {
    expect(result.mapping).toEqual({
      groupX: 32,
      groupY: 32,
      groups: 1,
      sliceRows: 128,
      sliceCols: 128,
      blockRows: 4096,
      blockCols: 4096,
      outerIterations: 1,
      innerIterations: 1,
      async: true,
    })
  })
})

describe('what bounds a kernel', () => {
  test('is memory for FlashAttention at 2 TB/s', () => {
    expect(resultOf('fa3', layer).bound).toBe('memory')
  })

  test('is the NoC where collectives are unicasts one by one', () => {
    expect(resultOf('flat-sc', layer, group32).bound).toBe('noc')
  })

  test('is synchronisation where slices are tiny', () => {
    const tiny = { ...layer, queryLength: 64, kvLength: 64 }
    expect(resultOf('flat-hc', tiny, group32).bound).toBe('synchronization')
  })
})

describe('padding', () => {
  test('counts as executed, not as useful', () => {
    const result = resultOf(
      'flat-hc',
      { queryLength: 100, kvLength: 130 },
      { groupX: 1, groupY: 1 },
    )
    expect(result.usefulFlops).toBe(4 * 128 * 100 * 130)
    expect(result.executedFlops).toBe(4 * 128 * 100 * 256)
  })
})

describe('corner cases', () => {
  test('without keys there is nothing to multiply, and O to write', () => {
    const result = resultOf('flat-async', { kvLength: 0 })
    expect(result).toMatchObject({
      usefulFlops: 0,
      executedFlops: 0,
      matrixUtilization: 0,
      matrixActiveUtilization: 0,
      arithmeticIntensity: 0,
      hbmReadBytes: 0,
      hbmWriteBytes: 2 ** 20,
    })
    expect(result.cycles).toBeGreaterThan(0)
  })

  test('a kernel at the peak of HBM shows 100 %, not more', () => {
    const hbm = makeHbm({ south: 1 }, { channelGBps: 0.1, efficiency: 1, latencyNs: 0 })
    const result = resultOf('flat-hc', {}, {}, makeChipConfig({ hbm }))
    expect(result.hbmBandwidthUtilization).toBeLessThanOrEqual(1)
    expect(result.hbmBandwidthUtilization).toBeGreaterThan(0.9)
  })

  test('the peaks of the roofline are those of the chip', () => {
    const result = resultOf('fa3', {}, {}, presetChip('flat-2025'))
    expect(result.peakFlopsPerSecond).toBe(1_048.576e12)
    expect(result.peakHbmBytesPerSecond).toBe(2048e9)
  })
})
