import { describe, expect, test } from 'vitest'
import measured from '#resources/published/barriers-2026.json' with { type: 'json' }
import { backToBackBarrier, barrier, chipBarrier } from '#shared/models/collectives/barrier.ts'
import { makeChip, makeChipConfig } from '#test/support/make-chip.ts'

describe('barrier', () => {
  test('has a fixed part and a part for both sides of the group', () => {
    expect(barrier(8, 4, makeChip())).toBeCloseTo(72 + 12 * 2.67, 9)
  })

  test('of the chip is that of a group of all tiles', () => {
    expect(chipBarrier(makeChip())).toBe(barrier(32, 32, makeChip()))
  })

  test('of a single tile takes no time: there is nobody to wait for', () => {
    expect(chipBarrier(makeChip({ tiles: { x: 1, y: 1 } }))).toBe(0)
  })

  // The model is for barriers as kernels use them, between transfers; back to back they are faster.
  const betweenTransfers = measured.rows.flatMap(([side, , cycles]) =>
    typeof side === 'number' && typeof cycles === 'number' ? [{ side, cycles }] : [],
  )

  test('was measured between transfers on three meshes', () => {
    expect(betweenTransfers.map(({ side }) => side)).toEqual([4, 8, 32])
  })

  test.each(betweenTransfers)(
    'on $side tiles a side takes within 4 % of the measured $cycles cycles',
    ({ side, cycles }) => {
      expect(Math.abs(barrier(side, side, makeChip()) / cycles - 1)).toBeLessThan(0.04)
    },
  )
})

describe('barrier with no transfer in flight', () => {
  test.each(
    measured.rows.map(([side, cycles]) => ({ side: Number(side), cycles: Number(cycles) })),
  )('on $side tiles a side takes within 3 % of the measured $cycles cycles', ({ side, cycles }) => {
    expect(Math.abs(backToBackBarrier(side, side, makeChip()) / cycles - 1)).toBeLessThan(0.03)
  })

  test('is never less than nothing, however fast a barrier is', () => {
    const control = { ...makeChipConfig().control, barrierBaseCycles: 1, barrierPerTileCycles: 0 }
    expect(backToBackBarrier(32, 32, makeChip({ control }))).toBe(0)
  })
})
