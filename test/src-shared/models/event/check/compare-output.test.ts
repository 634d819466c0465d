import { describe, expect, test } from 'vitest'
import { compareOutput, placeOf } from '#shared/models/event/check/compare-output.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

describe('the comparison with exact attention', () => {
  test('finds the largest deviation, absolute and relative to the row', () => {
    const exact = Float64Array.of(1, 0, 100, 50)
    const computed = Float64Array.of(1, 0.5, 100, 49)
    expect(compareOutput(computed, exact, 2)).toEqual({
      largestAbsolute: 1,
      absoluteAt: 3,
      largestRelative: 0.5,
      relativeAt: 1,
      rowsNotComputed: 0,
    })
  })

  test('counts rows with something that is no finite number, and keeps that out of the deviations', () => {
    const computed = Float64Array.of(NaN, 1, 2, Infinity, 3, 3)
    const deviation = compareOutput(computed, Float64Array.of(1, 1, 2, 2, 3, 3), 2)
    expect(deviation).toMatchObject({ largestAbsolute: 0, rowsNotComputed: 2 })
  })

  test('knows where an element is', () => {
    const workload = makeWorkload({ batch: 2, heads: 3, kvHeads: 3, queryLength: 5, headDim: 7 })
    const at = ((1 * 3 + 2) * 5 + 4) * 7 + 6
    expect(placeOf(at, workload)).toEqual({ sequence: 1, head: 2, position: 4, element: 6 })
  })
})
