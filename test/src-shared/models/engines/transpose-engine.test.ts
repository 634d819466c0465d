import { describe, expect, test } from 'vitest'
import measured from '#resources/published/dma-2026.json' with { type: 'json' }
import { transpose } from '#shared/models/engines/transpose-engine.ts'
import { bytes, bytesPerCycle } from '#shared/units/quantity.ts'

const line = bytesPerCycle(512)
const inFp16 = (rows: number, columns: number) => transpose(rows, columns, line, bytes(2))

describe('transposition in L1', () => {
  test.each(measured.transpose.rows)(
    '%d × %d takes the measured %d cycles, and 11 of issue and polling',
    (rows, columns, cycles) => {
      expect(inFp16(rows, columns)).toBe(cycles + 11)
    },
  )

  test('is symmetric in rows and columns', () => {
    expect([inFp16(128, 64), inFp16(64, 128)]).toEqual([213, 213])
  })

  test('goes tile by tile beyond one L1 line', () => {
    expect(inFp16(512, 128)).toBe(2 * (256 + 128 + 10) + 11)
    expect(inFp16(512, 512)).toBe(4 * (256 + 256 + 10) + 11)
  })

  test('takes tiles twice as wide in FP8', () => {
    expect(transpose(512, 128, line, bytes(1))).toBe(512 + 128 + 10 + 11)
  })

  test('takes no time for nothing', () => {
    expect([inFp16(0, 128), inFp16(128, 0)]).toEqual([0, 0])
  })
})
