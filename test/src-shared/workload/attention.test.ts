import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  causalPairs,
  compulsoryBytes,
  elementBytes,
  headJobs,
  queryPositions,
  queryRows,
  usefulFlops,
} from '#shared/workload/attention.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

/** Counts the pairs one by one: query i of q sees the keys up to i + k − q. */
function countPairs(queries: number, keys: number): number {
  let pairs = 0
  for (let query = 0; query < queries; query++) {
    for (let key = 0; key < keys; key++) if (key <= query + keys - queries) pairs++
  }
  return pairs
}

describe('causal pairs, aligned at the bottom right', () => {
  test.each([
    [4, 4, 10],
    [4, 8, 26],
    [8, 4, 10],
    [1, 4096, 4096],
    [2, 4096, 8191],
    [1024, 8192, 7_864_832],
    [5, 0, 0],
  ])('%d queries and %d keys leave %d', (queries, keys, pairs) => {
    expect(causalPairs(queries, keys)).toBe(pairs)
  })

  test('equal a count one by one', () => {
    const length = fc.integer({ min: 0, max: 60 })
    fc.assert(
      fc.property(length, length, (queries, keys) => {
        expect(causalPairs(queries, keys)).toBe(countPairs(queries, keys))
      }),
    )
  })

  test('are half of all pairs and half the diagonal for a square', () => {
    expect(causalPairs(4096, 4096)).toBe((4096 * 4096 + 4096) / 2)
  })
})

describe('rows and jobs', () => {
  const grouped = makeWorkload({
    variant: 'gqa',
    phase: 'decode',
    batch: 8,
    heads: 32,
    kvHeads: 2,
    queryLength: 1,
    speculativeLength: 2,
  })

  test('each sequence and KV head is a job', () => {
    expect(headJobs(grouped)).toBe(16)
  })

  test('speculated tokens are query positions', () => {
    expect(queryPositions(grouped)).toBe(2)
  })

  test('query heads that share a KV head are stacked', () => {
    expect(queryRows(grouped)).toBe(32)
  })

  test('an element takes 2 bytes in FP16 and 1 in FP8', () => {
    expect([elementBytes('fp16'), elementBytes('fp8')]).toEqual([2, 1])
  })
})

describe('useful FLOPs', () => {
  test('are 4 · d per pair, head and sequence', () => {
    const workload = makeWorkload({ batch: 2, heads: 32, kvHeads: 32 })
    expect(usefulFlops(workload)).toBe(4 * 128 * 4096 * 4096 * 64)
  })

  test('count query heads, not KV heads', () => {
    const shared = makeWorkload({ variant: 'mqa', heads: 8, kvHeads: 1 })
    expect(usefulFlops(shared)).toBe(usefulFlops(makeWorkload({ heads: 8, kvHeads: 8 })))
  })

  test('leave out what a causal mask hides', () => {
    const decode = makeWorkload({ phase: 'decode', queryLength: 1, causal: true })
    expect(usefulFlops(decode)).toBe(4 * 128 * 4096)
  })

  test('are zero without keys', () => {
    expect(usefulFlops(makeWorkload({ kvLength: 0 }))).toBe(0)
  })
})

describe('compulsory bytes', () => {
  test('are Q, K, V and O of one head once: 4 MiB for S 4096, D 128, FP16', () => {
    expect(compulsoryBytes(makeWorkload())).toBe(4 * 2 ** 20)
  })

  test('hold KV once for all query heads that share it', () => {
    const decode = { phase: 'decode', queryLength: 1, heads: 128 } as const
    const workload = makeWorkload({ ...decode, variant: 'mqa', kvHeads: 1 })
    expect(compulsoryBytes(workload)).toBe(2 * (2 * 128 * 128 + 2 * 4096 * 128))
  })

  // Published configurations: 8 KV heads of 128 elements, in 16 bits.
  test.each([
    ['Llama-3-8B', 32, 32, 131_072],
    ['Llama-3-70B', 80, 64, 327_680],
  ])('grow by the KV cache of a token: %s', (_, layers, heads, perToken) => {
    const bytesOf = (kvLength: number) =>
      compulsoryBytes(
        makeWorkload({
          variant: 'gqa',
          phase: 'decode',
          queryLength: 1,
          heads,
          kvHeads: 8,
          kvLength,
        }),
      )
    expect(layers * (bytesOf(1001) - bytesOf(1000))).toBe(perToken)
    expect(layers * (bytesOf(32_768) - bytesOf(0))).toBe(32_768 * perToken)
  })

  test('are halved by FP8', () => {
    expect(compulsoryBytes(makeWorkload({ dtype: 'fp8' }))).toBe(2 * 2 ** 20)
  })
})
