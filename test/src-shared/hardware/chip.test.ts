import { describe, expect, test } from 'vitest'
import { peakFlops, tileCount, tileFlopsPerCycle } from '#shared/hardware/chip.ts'
import { fromGBps, fromGHz } from '#shared/units/convert.ts'
import { makeChip } from '#test/support/make-chip.ts'

/** 132 streaming multiprocessors of 4096 dense BF16 FLOPs per cycle: 2048 multiply-adds each. */
const h100 = {
  tiles: { x: 132, y: 1 },
  matrixEngine: { ...makeChip().matrixEngine, height: 64, width: 32 },
  clock: fromGHz(1.83),
}

describe('dense peak', () => {
  test('a multiply-add counts as two FLOPs, once', () => {
    expect(tileFlopsPerCycle({ height: 32, width: 16 })).toBe(1024)
  })

  test('tiles are columns times rows', () => {
    expect(tileCount({ tiles: { x: 7, y: 5 } })).toBe(35)
  })

  test('1,024 tiles of 32 × 16 at 1 GHz reach 1,048.576 TFLOPS', () => {
    const tiles = { x: 32, y: 32 }
    const chip = { tiles, matrixEngine: makeChip().matrixEngine, clock: fromGHz(1) }
    expect(peakFlops(chip)).toBe(1_048.576e12)
  })

  test('an H100 reaches 989.4 TFLOPS in dense BF16', () => {
    expect(peakFlops(h100) / 1e12).toBeCloseTo(989.4, 1)
  })

  test('its ridge at 3.35 TB/s is 295.4 FLOP/B', () => {
    expect(peakFlops(h100) / fromGBps(3350)).toBeCloseTo(295.4, 1)
  })

  test('420 TFLOPS are 42.4 % of it', () => {
    expect((420e12 / peakFlops(h100)) * 100).toBeCloseTo(42.4, 1)
  })
})
