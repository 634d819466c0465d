import { describe, expect, test } from 'vitest'
import { barrier, chipBarrier } from '#shared/models/collectives/barrier.ts'
import { makeChip } from '#test/support/make-chip.ts'

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

  // Measured on the reference between DMA operations; the model is for those, not for 20 barriers
  // back to back, which take 79 to 195 cycles.
  test.each([
    [4, 94],
    [8, 112],
  ])('on %d × %d tiles takes within 4 % of the measured cycles', (side, measured) => {
    expect(Math.abs(barrier(side, side, makeChip()) / measured - 1)).toBeLessThan(0.04)
  })
})
