import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mapAttention } from '#shared/models/attention/attention-mapping.ts'
import { loadedSlices } from '#shared/models/attention/loaded-slices.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { resolveWorkload } from '#shared/schema/workload.ts'
import { headJobs, queryRows } from '#shared/workload/attention.ts'
import { makeChip } from '#test/support/make-chip.ts'
import { makeKernelShape } from '#test/support/make-kernel-shape.ts'
import { moderateInput } from '#test/support/make-moderate-input.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const shapeOf = (queryLength: number, kvLength: number) =>
  makeKernelShape(
    'flat-hc',
    { queryLength, kvLength },
    { groupX: 4, groupY: 4, sliceRows: 64, sliceCols: 64 },
    makeChip({ tiles: { x: 4, y: 4 } }),
  )

describe('loadedSlices', () => {
  test('are whole slices where the lengths fill the blocks', () => {
    expect(loadedSlices(shapeOf(512, 256))).toEqual({
      row: { mean: 1, largest: 1 },
      column: { mean: 1, largest: 1 },
    })
  })

  test('of one row of a block of 256 are that row, which one of four loaders has', () => {
    expect(loadedSlices(shapeOf(1, 256)).row).toEqual({ mean: 1 / 256, largest: 1 / 64 })
  })

  test('of 100 columns in a block of 256 are 100 columns, and at most a slice', () => {
    const { column } = loadedSlices(shapeOf(256, 100))
    expect(column).toEqual({ mean: 100 / 256, largest: 1 })
  })

  test('of no keys are nothing', () => {
    expect(loadedSlices(shapeOf(256, 0)).column).toEqual({ mean: 0, largest: 0 })
  })

  test('are never more than a slice, and all of Q and of what is read of KV together', () => {
    fc.assert(
      fc.property(moderateInput, input => {
        const workload = resolveWorkload(input.workload)
        const chip = resolveChip(input.chip)
        const mapping = mapAttention(input.dataflow, workload, input.mapping, chip)
        if (mapping.kind === 'problem') throw new Error(mapping.message)
        const { shape } = mapping
        const { row, column } = loadedSlices(shape)
        expect(row.mean).toBeLessThanOrEqual(row.largest)
        expect(column.mean).toBeLessThanOrEqual(column.largest)
        expect(row.largest).toBeLessThanOrEqual(1)
        expect(column.largest).toBeLessThanOrEqual(1)
        const all = row.mean * shape.groupY * shape.sliceRows * shape.rowBlocks
        expect(all / (headJobs(workload) * queryRows(workload))).toBeCloseTo(1, 9)
        const read = column.mean * shape.groupX * shape.sliceCols * shape.columnBlocks
        expect(read).toBeCloseTo(shape.keyColumns, 3)
      }),
      propertyRuns(300),
    )
  })
})
