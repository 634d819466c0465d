import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskedBlocks, type MaskedBlocks } from '#shared/models/attention/masked-blocks.ts'
import type { WorkloadConfig } from '#shared/schema/workload.ts'
import { queryPositions, queryRows } from '#shared/workload/attention.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

/** Looks at each row of the stacked score matrix. */
function countBlocks(workload: WorkloadConfig, blockRows: number, blockCols: number): MaskedBlocks {
  const rows = queryRows(workload)
  const positions = queryPositions(workload)
  const { kvLength } = workload
  const seenByBlock: number[] = []
  for (let row = 0; row < rows; row++) {
    const position = Math.floor(row / (rows / positions))
    const seen = Math.max(0, position + kvLength - positions + 1)
    const block = Math.floor(row / blockRows)
    seenByBlock[block] = Math.max(seenByBlock[block] ?? 0, seen)
  }
  const columnBlocks = seenByBlock.map(seen => Math.ceil(seen / blockCols))
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return {
    rowBlocks: seenByBlock.length,
    busyRowBlocks: columnBlocks.filter(blocks => blocks > 0).length,
    columnBlocks: sum(columnBlocks),
    columns: sum(columnBlocks.map(blocks => Math.min(kvLength, blocks * blockCols))),
  }
}

const square = makeWorkload({ causal: true })

describe('without a mask', () => {
  test('every row block has every column block', () => {
    expect(maskedBlocks(square, 128, 128, false)).toEqual({
      rowBlocks: 32,
      busyRowBlocks: 32,
      columnBlocks: 32 * 32,
      columns: 32 * 4096,
    })
  })

  test('ragged lengths are padded to blocks, but only the columns that exist are read', () => {
    const ragged = makeWorkload({ queryLength: 100, kvLength: 130 })
    expect(maskedBlocks(ragged, 64, 128, false)).toEqual({
      rowBlocks: 2,
      busyRowBlocks: 2,
      columnBlocks: 4,
      columns: 260,
    })
  })

  test('without keys no row block is busy', () => {
    expect(maskedBlocks(makeWorkload({ kvLength: 0 }), 128, 128, true)).toEqual({
      rowBlocks: 32,
      busyRowBlocks: 0,
      columnBlocks: 0,
      columns: 0,
    })
  })
})

describe('with a causal mask', () => {
  test('a square keeps its diagonal and what lies below', () => {
    expect(maskedBlocks(square, 128, 128, true)).toMatchObject({
      columnBlocks: (32 * 33) / 2,
      columns: (128 * 32 * 33) / 2,
    })
  })

  test('one row of decode sees all keys', () => {
    const decode = makeWorkload({ phase: 'decode', queryLength: 1, causal: true })
    expect(maskedBlocks(decode, 1, 128, true)).toMatchObject({ columnBlocks: 32, columns: 4096 })
  })

  test('queries before the first key leave their row blocks empty', () => {
    const long = makeWorkload({ queryLength: 8, kvLength: 4, causal: true })
    expect(maskedBlocks(long, 2, 2, true)).toEqual({
      rowBlocks: 4,
      busyRowBlocks: 2,
      columnBlocks: 3,
      columns: 6,
    })
  })

  test('the blocks are those that a look at each row finds', () => {
    const anyCase = fc.record({
      positions: fc.integer({ min: 1, max: 90 }),
      kvLength: fc.integer({ min: 1, max: 90 }),
      shared: fc.integer({ min: 1, max: 5 }),
      blockRows: fc.integer({ min: 1, max: 40 }),
      blockCols: fc.integer({ min: 1, max: 40 }),
    })
    fc.assert(
      fc.property(anyCase, ({ positions, kvLength, shared, blockRows, blockCols }) => {
        const workload = makeWorkload({
          variant: 'mqa',
          heads: shared,
          queryLength: positions,
          kvLength,
          causal: true,
        })
        expect(maskedBlocks(workload, blockRows, blockCols, true)).toEqual(
          countBlocks(workload, blockRows, blockCols),
        )
      }),
      { numRuns: 3000 },
    )
  })

  test('those that are dealt out in turns are together all of them', () => {
    const anyCase = fc.record({
      positions: fc.integer({ min: 1, max: 90 }),
      kvLength: fc.integer({ min: 1, max: 90 }),
      blockRows: fc.integer({ min: 1, max: 40 }),
      blockCols: fc.integer({ min: 1, max: 40 }),
      step: fc.integer({ min: 1, max: 9 }),
    })
    fc.assert(
      fc.property(anyCase, ({ positions, kvLength, blockRows, blockCols, step }) => {
        const workload = makeWorkload({ queryLength: positions, kvLength, causal: true })
        const all = maskedBlocks(workload, blockRows, blockCols, true)
        const shares = Array.from({ length: step }, (_, first) =>
          maskedBlocks(workload, blockRows, blockCols, true, { first, step }),
        )
        const sum = (field: keyof MaskedBlocks) =>
          shares.reduce((total, share) => total + share[field], 0)
        expect(sum('rowBlocks')).toBe(all.rowBlocks)
        expect(sum('busyRowBlocks')).toBe(all.busyRowBlocks)
        expect(sum('columnBlocks')).toBe(all.columnBlocks)
        // The share of the last row block is the largest.
        const last = shares[(all.rowBlocks - 1) % step]
        expect(last?.columnBlocks).toBe(Math.max(...shares.map(share => share.columnBlocks)))
      }),
      { numRuns: 1000 },
    )
  })
})
