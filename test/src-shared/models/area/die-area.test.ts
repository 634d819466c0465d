import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dieArea } from '#shared/models/area/die-area.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { presetChip } from '#shared/validation/published-input.ts'
import { makeChip } from '#test/support/make-chip.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'
import { arbitraryChip } from '#test/support/make-arbitrary-input.ts'

describe('the die of 2025', () => {
  const area = dieArea(resolveChip(presetChip('flat-2025')))

  test('is 388 mm² of logic and 68 mm² of SRAM', () => {
    const gates = 4_536_000 + 3_258_000 + 25_000 + 297_000 + 196_000 + 319_000
    expect(area.logicMm2).toBeCloseTo((1024 * gates * 4) / (138.2e6 * 0.66), 6)
    expect(area.memoryMm2).toBeCloseTo(1024 * 384 * 1024 * 8 * 0.021e-6, 6)
    expect(area.totalMm2).toBeCloseTo(455.2, 0)
  })
})

describe('an area', () => {
  test('is in proportion to the tiles', () => {
    const small = dieArea(makeChip({ tiles: { x: 4, y: 8 } })).totalMm2
    expect(dieArea(makeChip({ tiles: { x: 8, y: 16 } })).totalMm2).toBeCloseTo(4 * small, 9)
  })

  test('of the same multiply-adds, FPUs and L1 in fewer tiles is smaller', () => {
    const totals = ['flat-2025', 'granularity-16x16', 'granularity-8x8'].map(
      preset => dieArea(resolveChip(presetChip(preset))).totalMm2,
    )
    expect(totals).toEqual(totals.toSorted((a, b) => b - a))
  })

  test('is positive and the sum of its parts for any chip', () => {
    fc.assert(
      fc.property(arbitraryChip, config => {
        const { logicMm2, memoryMm2, totalMm2 } = dieArea(resolveChip(config))
        expect(logicMm2).toBeGreaterThan(0)
        expect(memoryMm2).toBeGreaterThan(0)
        expect((logicMm2 + memoryMm2) / totalMm2).toBeCloseTo(1, 12)
      }),
      propertyRuns(200),
    )
  })
})
