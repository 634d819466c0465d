import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chipGroups, groupSizes } from '#shared/models/wafer/chip-groups.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const wafer = { columns: 8, rows: 8 }

describe('a grid of 8 x 8', () => {
  test.each([
    [1, '1 x 1'],
    [2, '2 x 1'],
    [4, '2 x 2'],
    [8, '4 x 2'],
    [16, '4 x 4'],
    [32, '8 x 4'],
    [64, '8 x 8'],
  ])('groups of %d are %s', (size, shape) => {
    const groups = chipGroups(size, wafer) ?? []
    expect(groups).toHaveLength(64 / size)
    for (const { columns, rows } of groups)
      expect(`${String(columns)} x ${String(rows)}`).toBe(shape)
  })

  test('has no groups of 3, 6 or 128', () => {
    expect([3, 6, 128].map(size => chipGroups(size, wafer))).toEqual([null, null, null])
    expect(groupSizes(wafer)).toEqual([1, 2, 4, 8, 16, 32, 64])
  })

  test('the members of a group go row by row', () => {
    expect(chipGroups(4, wafer)?.[1]?.chips).toEqual([2, 3, 10, 11])
  })

  test('every second row of groups goes backwards, so that each group is beside the next', () => {
    const firsts = chipGroups(16, wafer)?.map(({ chips }) => chips[0])
    expect(firsts).toEqual([0, 4, 36, 32])
  })
})

test('groups of any allowed size use every chip once', () => {
  const side = fc.integer({ min: 1, max: 12 })
  fc.assert(
    fc.property(side, side, fc.nat(), (columns, rows, pick) => {
      const sizes = groupSizes({ columns, rows })
      const size = sizes[pick % sizes.length] ?? 1
      const groups = chipGroups(size, { columns, rows }) ?? []
      const chips = groups.flatMap(group => group.chips).toSorted((a, b) => a - b)
      expect(chips).toEqual(Array.from({ length: columns * rows }, (_, chip) => chip))
    }),
    propertyRuns(200),
  )
})
