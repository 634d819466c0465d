import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  steadyRowBlocks,
  steadyState,
  type BlockTimes,
} from '#shared/models/event/attention/steady-state.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

/** Blocks of a group that takes `column` cycles for each and `row` more where a row block opens. */
function regular(count: number, columnsPerRow: number, column: number, row: number): BlockTimes {
  let time = 500
  const times: number[] = []
  const opensRowBlock: boolean[] = []
  for (let index = 0; index < count; index++) {
    const opens = index % columnsPerRow === 0
    time += column + (opens ? row : 0)
    times.push(time)
    opensRowBlock.push(opens)
  }
  return { times, opensRowBlock }
}

describe('steadyState', () => {
  test('finds what a column block and a row block of a regular kernel take', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 12, max: 60 }),
        fc.integer({ min: 2, max: 4 }),
        fc.integer({ min: 1, max: 5000 }),
        fc.integer({ min: 0, max: 5000 }),
        (count, columnsPerRow, column, row) => {
          const groups = [regular(count, columnsPerRow, column, row)]
          const { perColumnBlock, perRowBlock } = steadyState(groups)
          expect(perColumnBlock).toBeCloseTo(column, 6)
          expect(perRowBlock).toBeCloseTo(row, 6)
        },
      ),
      propertyRuns(200),
    )
  })

  test('leaves out the first third, where the pipeline fills', () => {
    const { times, opensRowBlock } = regular(30, 30, 100, 0)
    const slowStart = times.map((time, index) => time + 50 * Math.min(index, 9))
    expect(steadyState([{ times: slowStart, opensRowBlock }]).perColumnBlock).toBe(100)
  })

  test('leaves out the last two blocks, where it drains', () => {
    const { times, opensRowBlock } = regular(30, 30, 100, 0)
    const fastEnd = times.map((time, index) => time - 40 * Math.max(0, index - 27))
    expect(steadyState([{ times: fastEnd, opensRowBlock }]).perColumnBlock).toBe(100)
  })

  test('takes row blocks for free where none opens in what was seen', () => {
    const groups = [regular(12, 12, 100, 700)]
    expect(steadyState(groups)).toEqual({ perColumnBlock: 100, perRowBlock: 0 })
  })

  test('puts all on the column block where every one opens a row block', () => {
    expect(steadyState([regular(12, 1, 100, 50)])).toEqual({ perColumnBlock: 150, perRowBlock: 0 })
  })

  test('is the mean over the groups', () => {
    const groups = [regular(12, 12, 100, 0), regular(12, 12, 300, 0)]
    expect(steadyState(groups).perColumnBlock).toBe(200)
  })

  test('is nothing where nothing was simulated', () => {
    const nothing = { perColumnBlock: 0, perRowBlock: 0 }
    expect(steadyState([])).toEqual(nothing)
    expect(steadyState([{ times: [], opensRowBlock: [] }])).toEqual(nothing)
    expect(steadyState([{ times: [100], opensRowBlock: [true] }])).toEqual(nothing)
  })
})

describe('steadyRowBlocks', () => {
  test('has the column blocks of each row block by themselves', () => {
    const first = regular(12, 12, 300, 0)
    const second = regular(12, 12, 100, 50)
    const end = first.times.at(-1) ?? 0
    const both = {
      times: [...first.times, ...second.times.map(time => time + end)],
      opensRowBlock: [...first.opensRowBlock, ...second.opensRowBlock],
    }
    expect(steadyRowBlocks([both]).map(({ perColumnBlock }) => perColumnBlock)).toEqual([300, 100])
  })

  test('is nothing where nothing was simulated', () => {
    expect(steadyRowBlocks([])).toEqual([])
  })
})
