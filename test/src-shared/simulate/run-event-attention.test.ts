import { describe, expect, test } from 'vitest'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { isFlash } from '#shared/mapping/dataflow.ts'
import { AttentionSimulation } from '#shared/models/event/attention/simulate-attention.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import type { ChipConfig } from '#shared/schema/chip.ts'
import type { WorkloadConfig } from '#shared/schema/workload.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { makeAttentionInput } from '#test/support/make-attention-input.ts'
import { makeChip, makeChipConfig, makeHbm } from '#test/support/make-chip.ts'
import { makeKernelShape } from '#test/support/make-kernel-shape.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

const timeout = 60_000

const mappingOf = (dataflow: Dataflow, side: number) => ({
  sliceRows: 64,
  sliceCols: 64,
  ...(isFlash(dataflow) ? {} : { groupX: side, groupY: side }),
})

describe('loaders at the edge of a group instead of on its diagonal', { timeout }, () => {
  /** How much longer a kernel of one 8 × 8 group takes with its loaders at the edge. */
  const slowdown = (
    dataflow: Dataflow,
    channels: Partial<ChipConfig['hbm']['channels']>,
    lengths: Pick<WorkloadConfig, 'queryLength' | 'kvLength'>,
  ): number => {
    const input: AttentionInput = {
      ...makeAttentionInput({
        dataflow,
        chip: makeChipConfig({ tiles: { x: 8, y: 8 }, hbm: makeHbm(channels) }),
        workload: makeWorkload({ heads: 4, kvHeads: 4, ...lengths }),
        mapping: mappingOf(dataflow, 8),
      }),
      engine: 'event',
    }
    const cyclesOf = (loaders: 'diagonal' | 'edge') =>
      estimateAttention({ ...input, loaders }).result.cycles
    return cyclesOf('edge') / cyclesOf('diagonal') - 1
  }
  const shortKeys = { queryLength: 1024, kvLength: 512 }
  const longKeys = { queryLength: 512, kvLength: 2048 }

  // All loaders of Q stand in the first column, whose links lead to the memory in the south.
  test('slow Q and O down where memory lies at the end of their column', () => {
    expect(slowdown('flat-hc', { south: 32 }, shortKeys)).toBeGreaterThan(0.08)
    expect(slowdown('flat-async', { south: 32 }, shortKeys)).toBeGreaterThan(0.25)
  })

  // All loaders of K and V stand in the lowest row, whose links lead to the memory in the west.
  test('slow K and V down where memory lies at the end of their row', () => {
    expect(slowdown('flat-hc', { west: 32 }, longKeys)).toBeGreaterThan(0.15)
    expect(slowdown('flat-async', { west: 32 }, longKeys)).toBeGreaterThan(0.25)
  })

  test('matter less where the channels are slower than the links', () => {
    const few = slowdown('flat-async', { south: 4 }, shortKeys)
    expect(few).toBeGreaterThan(0)
    expect(few).toBeLessThan(slowdown('flat-async', { south: 32 }, shortKeys))
  })

  // Each loader has a line of links for itself wherever it stands.
  test('make no difference where Q comes along rows and K and V along columns', () => {
    for (const dataflow of ['flat-hc', 'flat-async', 'flat-tc'] as const) {
      expect(Math.abs(slowdown(dataflow, { west: 16, south: 16 }, shortKeys))).toBeLessThan(0.01)
    }
  })

  // The lowest row is nearest to memory in the south: some of its loads come a little sooner.
  test('are never faster by more than their shorter ways', () => {
    for (const channels of [{ south: 2 }, { north: 7 }, { east: 16 }, { west: 4, south: 3 }]) {
      for (const dataflow of ['flat-sc', 'flat-async'] as const) {
        expect(slowdown(dataflow, channels, shortKeys)).toBeGreaterThan(-0.05)
      }
    }
  })
})

describe('a kernel of which a part is simulated', { timeout }, () => {
  const chip = makeChip({ tiles: { x: 4, y: 4 }, hbm: makeHbm({ south: 4 }) })

  function cyclesOf(
    dataflow: Dataflow,
    workload: Partial<WorkloadConfig>,
    group: number,
    mostIterations: number,
  ) {
    const shape = makeKernelShape(dataflow, workload, mappingOf(dataflow, group), chip)
    const simulation = new AttentionSimulation(dataflow, shape, chip, 'diagonal', {
      timelineTiles: [],
      mostIterations,
    })
    while (simulation.run(10_000));
    return simulation
  }

  const heads = (count: number) => ({ heads: count, kvHeads: count })
  const cases: readonly (readonly [Dataflow, Partial<WorkloadConfig>, number])[] = [
    ['fa2', { ...heads(4), queryLength: 1024, kvLength: 2048 }, 1],
    ['fa3', { ...heads(4), queryLength: 1024, kvLength: 2048 }, 1],
    ['fa3', { ...heads(8), queryLength: 1024, kvLength: 256 }, 1],
    ['flat-sc', { ...heads(2), queryLength: 512, kvLength: 4096 }, 2],
    ['flat-tc', { ...heads(8), queryLength: 512, kvLength: 512 }, 4],
    ['flat-tc', { ...heads(4), queryLength: 256, kvLength: 4096 }, 2],
    ['flat-hc', { ...heads(8), queryLength: 512, kvLength: 512 }, 4],
    ['flat-hc', { ...heads(4), queryLength: 256, kvLength: 4096 }, 2],
    ['flat-hc', { ...heads(16), queryLength: 512, kvLength: 256 }, 4],
    ['flat-async', { ...heads(2), queryLength: 512, kvLength: 8192 }, 4],
    ['flat-async', { ...heads(16), queryLength: 512, kvLength: 512 }, 4],
    ['flat-async', { ...heads(8), queryLength: 256, kvLength: 4096 }, 2],
  ]

  test.each(cases)('takes about as long as the whole: %s, %j, group %d', (...kernel) => {
    const whole = cyclesOf(...kernel, Infinity)
    expect(whole.iterations).toBeGreaterThanOrEqual(32)
    for (const cut of [12, 16]) {
      const part = cyclesOf(...kernel, cut)
      expect(part.simulatedIterations).toBe(cut)
      expect(part.machine.simulator.events).toBeLessThan(whole.machine.simulator.events)
      expect(Math.abs(part.cycles / whole.cycles - 1)).toBeLessThan(errorOf(kernel[0]))
    }
  })

  // Tiles of FlashAttention start in lock-step and drift apart over some dozens of column blocks;
  // what is extrapolated from the first of them keeps too much of the lock-step.
  test.each(cases.filter(([dataflow]) => isFlash(dataflow)))(
    'FlashAttention is within 3 %% once it has drifted apart: %s, %j, group %d',
    (...kernel) => {
      const whole = cyclesOf(...kernel, Infinity).cycles
      expect(cyclesOf(...kernel, 12).cycles).toBeGreaterThan(whole)
      expect(Math.abs(cyclesOf(...kernel, 96).cycles / whole - 1)).toBeLessThan(0.03)
    },
  )

  test('goes on with an odd head of FlatAsync as such a head does, not as a pair', () => {
    const three = { ...heads(3), queryLength: 512, kvLength: 4096 }
    const whole = cyclesOf('flat-async', three, 4, Infinity).cycles
    for (const cut of [16, 24]) {
      const part = cyclesOf('flat-async', three, 4, cut).cycles
      expect(Math.abs(part / whole - 1)).toBeLessThan(0.05)
    }
  })
})

/** How far 12 to 16 column blocks may be from the whole, relative. */
function errorOf(dataflow: Dataflow): number {
  if (isFlash(dataflow)) return 0.22
  return dataflow === 'flat-async' ? 0.05 : 0.03
}
