import { describe, expect, test } from 'vitest'
import { exactAttention, type ExactOutput } from '#shared/models/event/check/exact-attention.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

function exact(
  workload: Parameters<typeof makeWorkload>[0],
  query: number[],
  key: number[],
  value: number[],
): ExactOutput {
  const rows = exactAttention(makeWorkload(workload), {
    query: Float64Array.from(query),
    key: Float64Array.from(key),
    value: Float64Array.from(value),
  })
  for (;;) {
    const step = rows.next()
    if (step.done === true) return step.value
  }
}

describe('exact attention', () => {
  test('weighs values by the exponentials of the scores over √d', () => {
    const { output, largestScore } = exact(
      { headDim: 4, queryLength: 1, kvLength: 2 },
      [2, 0, 0, 0],
      [Math.log(3), 0, 0, 0, 0, 1, 1, 1],
      [4, 0, 0, 8, 0, 4, 0, 8],
    )
    // Scores 2·ln 3 / 2 and 0: weights 3/4 and 1/4.
    const expected = [3, 1, 0, 8]
    output.forEach((element, index) => {
      expect(element).toBeCloseTo(expected[index] ?? NaN, 14)
    })
    expect(largestScore).toBeCloseTo(Math.log(3), 14)
  })

  test('a causal mask is aligned at the end of KV; a query without keys gives 0', () => {
    const { output } = exact(
      { headDim: 1, queryLength: 3, kvLength: 2, causal: true },
      [1, 1, 1],
      [0, 0],
      [4, 8],
    )
    expect([...output]).toEqual([0, 4, 6])
  })

  test('query heads share the KV head of their part of the heads', () => {
    const { output } = exact(
      { variant: 'gqa', heads: 4, kvHeads: 2, batch: 2, headDim: 1, queryLength: 1, kvLength: 1 },
      new Array<number>(8).fill(1),
      [1, 1, 1, 1],
      [1, 2, 3, 4],
    )
    expect([...output]).toEqual([1, 1, 2, 2, 3, 3, 4, 4])
  })
})
