import { describe, expect, test } from 'vitest'
import figure from '#resources/published/fig11-l1-occupancy.json' with { type: 'json' }
import { isDoubleBuffered, l1Occupancy } from '#shared/models/attention/l1-occupancy.ts'
import { dataflows } from '#shared/mapping/dataflow.ts'

const square = (slice: number, headDim: number, dtype: 'fp16' | 'fp8' = 'fp16') => ({
  sliceRows: slice,
  sliceCols: slice,
  dimensions: { score: headDim, value: headDim },
  dtype,
})

describe('L1 occupancy', () => {
  test.each(figure.rows)(
    'of a double-buffered slice of %d is %d bytes at D 128 and %d at D 64',
    (slice, bytesD128, bytesD64) => {
      expect(l1Occupancy(square(slice, 128), 'flat-async')).toBe(bytesD128)
      expect(l1Occupancy(square(slice, 64), 'flat-async')).toBe(bytesD64)
    },
  )

  test('of two sets of buffers is needed by FlashAttention-3 and FlatAsync', () => {
    expect(dataflows.filter(isDoubleBuffered)).toEqual(['fa3', 'flat-async'])
  })

  test.each(['fa2', 'flat-sc', 'flat-tc', 'flat-hc'] as const)('of %s is one set', dataflow => {
    expect(l1Occupancy(square(128, 128), dataflow)).toBe(330_240 / 2)
  })

  test('is halved by FP8', () => {
    expect(l1Occupancy(square(128, 128, 'fp8'), 'fa3')).toBe(330_240 / 2)
  })

  test('counts rows and columns apart: Q, O, the state and the scores grow with the rows', () => {
    const tall = l1Occupancy(
      { sliceRows: 256, sliceCols: 64, dimensions: { score: 128, value: 128 }, dtype: 'fp16' },
      'fa2',
    )
    expect(tall).toBe(2 * (2 * 256 * 128 + 2 * 64 * 128 + 256 * 64 + 5 * 256))
  })
})
