import { describe, expect, test } from 'vitest'
import { gh200, gh200PointFor } from '#shared/baselines/gh200.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

describe('FlashAttention-3 on a GH200', () => {
  test('is found for the shape that was measured', () => {
    const square = makeWorkload({ headDim: 64, queryLength: 512, kvLength: 512 })
    expect(gh200PointFor(square)).toEqual({ headDim: 64, length: 512, tflops: 333 })
  })

  test('does not depend on batch and heads', () => {
    expect(gh200PointFor(makeWorkload({ batch: 2, heads: 32, kvHeads: 32 }))).toEqual(
      gh200PointFor(makeWorkload()),
    )
  })

  test('is never above the peak', () => {
    const achieved = gh200.points.map(({ tflops }) => tflops)
    expect(Math.max(...achieved)).toBeLessThan(gh200.peakTflops)
  })

  test('names its source', () => {
    expect(gh200.source).toContain('arXiv 2407.08608')
  })

  test.each([
    { headDim: 80 },
    { queryLength: 3000, kvLength: 3000 },
    { queryLength: 1024 },
    { causal: true },
    { dtype: 'fp8' as const },
    { variant: 'mqa' as const, heads: 8 },
    { phase: 'decode' as const, queryLength: 1 },
    { speculativeLength: 2 },
  ])('is unknown for %o: nothing is extrapolated', changes => {
    expect(gh200PointFor(makeWorkload(changes))).toBeUndefined()
  })
})
