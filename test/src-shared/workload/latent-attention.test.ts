import { describe, expect, test } from 'vitest'
import {
  compulsoryBytes,
  headDimensions,
  headJobs,
  keyValueBytesPerToken,
  queryRows,
  usefulFlops,
} from '#shared/workload/attention.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

const decode = makeWorkload({
  variant: 'mla',
  phase: 'decode',
  batch: 128,
  heads: 128,
  kvHeads: 1,
  queryLength: 1,
})
const prefill = { ...decode, phase: 'prefill' as const, queryLength: 4096 }

describe('decode of MLA with absorbed projections', () => {
  // A published log of FlashMLA: 16 heads, 4096 tokens of context, BF16.
  const measured = { ...decode, heads: 16, kvLength: 4096 }

  test('of 16 heads takes the FLOPs and the bytes that its users count', () => {
    expect(usefulFlops(measured)).toBe(18_253_611_008)
    expect(compulsoryBytes(measured)).toBe(608_436_224)
  })

  test('at 0.601 ms is 30.4 TFLOPS and 1012 GB/s; with two tokens at 0.606 ms 60.2 and 1011', () => {
    const rate = (amount: number, seconds: number) => amount / seconds
    expect(rate(usefulFlops(measured), 0.601e-3) / 1e12).toBeCloseTo(30.37, 2)
    expect(rate(compulsoryBytes(measured), 0.601e-3) / 1e9).toBeCloseTo(1012.4, 1)
    const two = { ...measured, speculativeLength: 2 }
    expect(rate(usefulFlops(two), 0.606e-3) / 1e12).toBeCloseTo(60.24, 2)
    expect(rate(compulsoryBytes(two), 0.606e-3) / 1e9).toBeCloseTo(1011.4, 1)
  })

  test('has one job for each sequence, with the rows of all heads', () => {
    const two = { ...decode, speculativeLength: 2 }
    expect(headJobs(two)).toBe(128)
    expect(queryRows(two)).toBe(256)
    expect(headJobs({ ...two, kvHeads: 128 })).toBe(128)
  })

  test('per context token and byte of cache is 241.8 FLOP in BF16 and 483.6 in FP8', () => {
    const intensity = (dtype: 'fp16' | 'fp8') => {
      const token = { ...decode, batch: 1, kvLength: 1, dtype }
      return usefulFlops(token) / keyValueBytesPerToken(token)
    }
    expect(intensity('fp16')).toBeCloseTo(241.8, 1)
    expect(intensity('fp8')).toBeCloseTo(483.6, 1)
  })
})

describe('head dimensions', () => {
  const perPair = (workload: typeof decode) =>
    usefulFlops({ ...workload, batch: 1, queryLength: 1, kvLength: 1 })

  test('of prefill are 192 and 128: 81,920 FLOPs for a pair of positions', () => {
    expect(headDimensions(prefill)).toEqual({ score: 192, value: 128 })
    expect(perPair(prefill)).toBe(81_920)
  })

  test('of decode are 576 and 512: 278,528 FLOPs for a pair of positions', () => {
    expect(headDimensions(decode)).toEqual({ score: 576, value: 512 })
    expect(perPair(decode)).toBe(278_528)
  })

  test('are what a workload says', () => {
    const own = { latentDim: 256, ropeDim: 32, nopeDim: 64, valueDim: 96 }
    expect(headDimensions({ ...decode, ...own })).toEqual({ score: 288, value: 256 })
    expect(headDimensions({ ...prefill, ...own })).toEqual({ score: 96, value: 96 })
  })

  test('of the other variants are the head dimension', () => {
    expect(headDimensions(makeWorkload({ headDim: 80 }))).toEqual({ score: 80, value: 80 })
  })

  test('of prefill: each head has keys and values of its own', () => {
    expect(headJobs(prefill)).toBe(128 * 128)
    expect(queryRows(prefill)).toBe(4096)
    const one = { ...prefill, batch: 1, heads: 1 }
    expect(compulsoryBytes(one)).toBe(2 * 2 * 4096 * (192 + 128))
  })
})

describe('KV cache of a token', () => {
  test('of Llama 3 8B is 131,072 B, of 70B 327,680 B', () => {
    const llama = (layers: number, heads: number) =>
      layers * keyValueBytesPerToken(makeWorkload({ variant: 'gqa', heads, kvHeads: 8 }))
    expect(llama(32, 32)).toBe(131_072)
    expect(llama(80, 64)).toBe(327_680)
    expect((32_768 * llama(80, 64)) / 2 ** 30).toBe(10)
  })

  test('of DeepSeek-V3 is 70,272 B in BF16 and 35,136 B in FP8, however many heads share it', () => {
    expect(61 * keyValueBytesPerToken(decode)).toBe(70_272)
    expect(61 * keyValueBytesPerToken({ ...decode, kvHeads: 128 })).toBe(70_272)
    expect(61 * keyValueBytesPerToken({ ...decode, dtype: 'fp8' })).toBe(35_136)
    expect(61 * keyValueBytesPerToken(prefill)).toBe(70_272)
  })
})
