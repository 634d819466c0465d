import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  columnBlocksOf,
  sampleWork,
  truncateWork,
} from '#shared/models/event/attention/truncated-work.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const rowBlock = fc
  .record({
    job: fc.nat({ max: 5 }),
    rows: fc.integer({ min: 1, max: 64 }),
    columns: fc.nat({ max: 900 }),
  })
  .map(part => ({ ...part, firstRow: 0, columnBlocks: Math.ceil(part.columns / 64) }))

describe('truncateWork', () => {
  test('keeps the first column blocks, as many as allowed, and no others', () => {
    fc.assert(
      fc.property(fc.array(rowBlock, { maxLength: 8 }), fc.nat({ max: 60 }), (work, limit) => {
        const kept = truncateWork(work, limit)
        expect(columnBlocksOf(kept)).toBe(Math.min(limit, columnBlocksOf(work)))
        const whole = kept.slice(0, -1)
        expect(whole).toEqual(work.slice(0, whole.length))
        const last = kept.at(-1)
        const uncut = work[kept.length - 1]
        expect(last?.job).toBe(uncut?.job)
        expect(last?.columns ?? 0).toBeLessThanOrEqual(uncut?.columns ?? 0)
        // What is left of a row block still needs all of its column blocks.
        const needed = Math.ceil((last?.columns ?? 0) / 64)
        expect(needed).toBeLessThanOrEqual(last?.columnBlocks ?? 0)
      }),
      propertyRuns(300),
    )
  })

  test('changes nothing where all is allowed', () => {
    const work = [{ job: 0, firstRow: 0, rows: 64, columns: 100, columnBlocks: 2 }]
    expect(truncateWork(work, 2)).toEqual(work)
  })
})

describe('sampleWork', () => {
  const long = (job: number) => ({ job, firstRow: 0, rows: 64, columns: 640, columnBlocks: 10 })

  test('takes half of the limit from each of the first two of long row blocks', () => {
    const kept = sampleWork([long(0), long(1), long(2)], 8)
    expect(kept.map(({ job, columnBlocks }) => [job, columnBlocks])).toEqual([
      [0, 4],
      [1, 4],
    ])
  })

  test('takes the first column blocks where row blocks are short, or there is one', () => {
    const short = [0, 1, 2, 3].map(job => ({ ...long(job), columns: 128, columnBlocks: 2 }))
    expect(sampleWork(short, 5)).toEqual(truncateWork(short, 5))
    expect(sampleWork([long(0)], 8)).toEqual(truncateWork([long(0)], 8))
  })

  test('changes nothing where all is allowed', () => {
    expect(sampleWork([long(0), long(1)], 20)).toEqual([long(0), long(1)])
  })
})
