import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { touchedUnits } from '#shared/models/summa/strided-rows.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

describe('units that a row touches', () => {
  test.each([
    [28, 64, 1.375],
    [56, 64, 1.75],
    [112, 64, 2.5],
    [28, 128, 1.1875],
    [256, 128, 2],
    [16, 64, 1],
    [0, 64, 0],
  ])('%d bytes in units of %d', (row, unit, units) => {
    expect(touchedUnits(row, 7168, unit)).toBe(units)
  })

  test('are the mean over all rows of a matrix that is cut into blocks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 96 }),
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom(16, 32, 64),
        (row, blocks, unit) => {
          const stride = row * blocks
          let touched = 0
          let count = 0
          // As many rows as it takes for the pattern to repeat.
          for (let line = 0; line < unit; line++) {
            for (let block = 0; block < blocks; block++) {
              const start = line * stride + block * row
              touched += Math.floor((start + row - 1) / unit) - Math.floor(start / unit) + 1
              count++
            }
          }
          expect(touchedUnits(row, stride, unit)).toBeCloseTo(touched / count, 9)
        },
      ),
      propertyRuns(300),
    )
  })
})
