import { describe, expect, test } from 'vitest'
import { dataflowsOf } from '#shared/mapping/dataflow.ts'
import { preferredSlice } from '#shared/models/attention/preferred-slice.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { presetChip } from '#shared/validation/published-input.ts'
import { makeChip } from '#test/support/make-chip.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

const l1 = (capacityKiB: number) => ({ capacityKiB, bytesPerCycle: 512 })

describe('preferred slice', () => {
  test.each(['flat-2025', 'flat-2026', 'flat-2026-4tb', 'flat-2026-fp8'])('is 128 on %s', id => {
    const chip = resolveChip(presetChip(id))
    const slices = dataflowsOf(makeWorkload()).map(dataflow =>
      preferredSlice(makeWorkload(), dataflow, chip),
    )
    expect(new Set(slices)).toEqual(new Set([128]))
  })

  test('is 128 in FP8 as well', () => {
    const chip = resolveChip(presetChip('flat-2026-fp8'))
    expect(preferredSlice(makeWorkload({ dtype: 'fp8' }), 'flat-async', chip)).toBe(128)
  })

  test('stays 128 where L1 has room for more: that is busy enough', () => {
    expect(preferredSlice(makeWorkload(), 'flat-async', makeChip({ l1: l1(4096) }))).toBe(128)
  })

  test('is the largest that fits where none keeps the engine 95 % busy', () => {
    expect(preferredSlice(makeWorkload(), 'flat-async', makeChip({ l1: l1(200) }))).toBe(64)
  })

  test('is less than the height of the engine where that does not fit', () => {
    expect(preferredSlice(makeWorkload(), 'flat-async', makeChip({ l1: l1(20) }))).toBe(8)
  })

  test('is 0 where not even one row fits', () => {
    const workload = makeWorkload({ headDim: 4096 })
    expect(preferredSlice(workload, 'flat-async', makeChip({ l1: l1(65) }))).toBe(1)
    expect(preferredSlice(workload, 'flat-async', makeChip({ l1: l1(64) }))).toBe(0)
  })
})
