import { expect, test } from 'vitest'
import { latentChunks } from '#shared/models/attention/latent-chunks.ts'
import { sliceOperations } from '#shared/models/attention/slice-operations.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

const decode = makeWorkload({ variant: 'mla', phase: 'decode', heads: 128, kvHeads: 1 })

test('DeepSeek has four chunks of 128 and one of 64', () => {
  expect(latentChunks(decode)).toEqual({ latent: [128, 128, 128, 128], rope: [64] })
})

test('other dimensions are cut as they come', () => {
  expect(latentChunks({ ...decode, latentDim: 300, ropeDim: 130 })).toEqual({
    latent: [128, 128, 44],
    rope: [128, 2],
  })
})

test('the chunks of a slice make up its scores and its output', () => {
  const { scores, output } = sliceOperations({ sliceRows: 32, sliceCols: 64 }, decode)
  expect(scores.reduce((sum, { contraction }) => sum + contraction, 0)).toBe(576)
  expect(output.reduce((sum, { columns }) => sum + columns, 0)).toBe(512)
})

test('prefill multiplies 192 and 128 in one operation each', () => {
  const prefill = { ...decode, phase: 'prefill' as const }
  expect(sliceOperations({ sliceRows: 128, sliceCols: 128 }, prefill)).toEqual({
    scores: [{ rows: 128, contraction: 192, columns: 128 }],
    output: [{ rows: 128, contraction: 128, columns: 128 }],
  })
})
