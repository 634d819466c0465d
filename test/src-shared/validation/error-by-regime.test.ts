import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorByRegime } from '#shared/validation/error-by-regime.ts'
import { compared } from '#shared/validation/validation-set.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

test('rows are split by each part of their names that tells some of them apart', () => {
  const rows = [
    compared('fa2, D 64, S 512', 'µs', 110, 100),
    compared('fa2, D 128, S 512', 'µs', 90, 100),
    compared('fa3, D 64, S 512', 'µs', 120, 100),
  ]
  const [dataflows, dimensions, ...others] = errorByRegime(rows)
  expect(others).toEqual([])
  expect(dataflows?.map(({ regime, count }) => [regime, count])).toEqual([
    ['fa2', 2],
    ['fa3', 1],
  ])
  expect(dataflows?.[0]?.meanAbsoluteError).toBeCloseTo(0.1, 12)
  expect(dataflows?.[0]?.bias).toBeCloseTo(0, 12)
  expect(dimensions?.[0]?.largestError).toBeCloseTo(0.2, 12)
})

test.each([
  ['names of one part', ['a', 'b']],
  ['names of several lengths', ['a, b', 'a, b, c']],
  ['a part that is another in each row', ['x, 1', 'x, 2', 'x, 3']],
])('%s split nothing', (_, names) => {
  expect(errorByRegime(names.map(name => compared(name, 'ms', 1, 2)))).toEqual([])
})

test('every split has all rows once, and no regime is worse than the worst row', () => {
  const name = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y'), fc.nat(3))
  const row = fc.tuple(name, fc.double({ min: 0.5, max: 2, noNaN: true }))
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), entries => {
      const rows = entries.map(([parts, value]) => compared(parts.join(', '), 'ms', value, 1))
      const worst = Math.max(...rows.map(({ error }) => Math.abs(error)))
      for (const split of errorByRegime(rows)) {
        expect(split.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length)
        for (const { meanAbsoluteError, largestError, bias } of split) {
          expect(largestError).toBeLessThanOrEqual(worst)
          expect(meanAbsoluteError).toBeLessThanOrEqual(largestError * (1 + 1e-12))
          expect(Math.abs(bias)).toBeLessThanOrEqual(meanAbsoluteError * (1 + 1e-12))
        }
      }
    }),
    propertyRuns(200),
  )
})
