import { expect, test } from 'vitest'
import { latentOccupancy } from '#shared/models/attention/latent-occupancy.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

const decode = makeWorkload({ variant: 'mla', phase: 'decode', heads: 128, kvHeads: 1 })
const slice = { sliceRows: 128, sliceCols: 128 }

test.each(['flat-hc', 'flat-async', 'flash-mla'] as const)(
  '%s has 11 buffers of 128 × 128 and 5 vectors for a single column block: 353.25 KiB in FP16',
  dataflow => {
    const kind = { dataflow, keepsMaximum: false }
    expect(latentOccupancy(slice, decode, kind)).toBe((11 * 128 * 128 + 5 * 128) * 2)
    expect(latentOccupancy(slice, { ...decode, dtype: 'fp8' }, kind)).toBe(11 * 128 * 128 + 5 * 128)
  },
)

test('the running maximum takes one sequence no more, two interleaved ones five chunks more', () => {
  const more = (dataflow: 'flat-hc' | 'flat-async') =>
    latentOccupancy(slice, decode, { dataflow, keepsMaximum: true }) -
    latentOccupancy(slice, decode, { dataflow, keepsMaximum: false })
  expect(more('flat-hc')).toBe(0)
  expect(more('flat-async')).toBe((5 * 128 * 128 + 5 * 128) * 2)
})

test('the fair FlashMLA keeps the whole of Q', () => {
  const of = (dataflow: 'flash-mla' | 'flash-mla-fair') =>
    latentOccupancy(slice, decode, { dataflow, keepsMaximum: true })
  expect(of('flash-mla-fair') - of('flash-mla')).toBe((576 - 256) * 128 * 2)
})

test('where one sequence alone needs more than two interleaved ones, L1 has room for it', () => {
  const wide = { ...decode, latentDim: 2048 }
  const kind = (dataflow: 'flat-hc' | 'flat-async') => ({ dataflow, keepsMaximum: false })
  expect(latentOccupancy(slice, wide, kind('flat-async'))).toBe(
    latentOccupancy(slice, wide, kind('flat-hc')),
  )
})
