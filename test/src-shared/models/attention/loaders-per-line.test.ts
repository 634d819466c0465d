import { describe, expect, test } from 'vitest'
import { groupsPerLine, loadersPerLine } from '#shared/models/attention/loaders-per-line.ts'

const column = { axis: 'column' } as const
const row = { axis: 'row' } as const

describe('loaders of one group on a line of links', () => {
  test('are one each in a square group', () => {
    const square = { groupX: 4, groupY: 4 }
    for (const home of [row, column]) {
      expect(loadersPerLine('row', square, home)).toBe(1)
      expect(loadersPerLine('column', square, home)).toBe(1)
    }
  })

  test('share a column where the group is higher than wide, and a row where it is wider', () => {
    expect(loadersPerLine('row', { groupX: 2, groupY: 7 }, column)).toBe(4)
    expect(loadersPerLine('row', { groupX: 2, groupY: 7 }, row)).toBe(1)
    expect(loadersPerLine('column', { groupX: 7, groupY: 2 }, row)).toBe(4)
    expect(loadersPerLine('column', { groupX: 7, groupY: 2 }, column)).toBe(1)
  })
})

describe('groups on a line of links', () => {
  const chip = { tiles: { x: 8, y: 6 } }

  test('fill a row of the mesh before the next', () => {
    expect(groupsPerLine({ groupX: 1 }, 4, row, chip)).toBe(4)
    expect(groupsPerLine({ groupX: 1 }, 4, column, chip)).toBe(1)
    expect(groupsPerLine({ groupX: 1 }, 48, row, chip)).toBe(8)
    expect(groupsPerLine({ groupX: 1 }, 48, column, chip)).toBe(6)
  })

  test('are as many as fit beside each other', () => {
    expect(groupsPerLine({ groupX: 3 }, 5, row, chip)).toBe(2)
    expect(groupsPerLine({ groupX: 3 }, 5, column, chip)).toBe(3)
  })
})
