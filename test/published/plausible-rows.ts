import { expect, test } from 'vitest'
import type { ValidationSet, ValidationTarget } from '#shared/validation/validation-set.ts'

/** What a set must hold besides its errors: a file that was cut short would pass them. */
export interface ExpectedSet {
  readonly id: string
  readonly rows: number
  /** The accuracy that the project promises; a set may ask for no less. */
  readonly target: ValidationTarget
}

const percent = (value: number) => `${String(Number((value * 100).toFixed(1)))} %`

/** The errors in words, for a title. */
export const promised = ({ meanAbsoluteError, largestError }: ValidationTarget): string =>
  largestError === 0
    ? 'exact'
    : `mean within ${percent(meanAbsoluteError)}, each within ${percent(largestError)}`

/** Holds the sets of one validation against what is expected of each. */
export function expectSets(sets: readonly ValidationSet[], expected: readonly ExpectedSet[]): void {
  test('the sets are those expected, no more and no fewer', () => {
    expect(sets.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
  })

  test.each(expected.map(one => ({ ...one, promise: promised(one.target) })))(
    '$id: $promise, over $rows rows',
    ({ id, rows, target }) => {
      const set = sets.find(candidate => candidate.id === id)
      expect(set?.rows).toHaveLength(rows)
      expect(set?.target).toEqual(target)
      expect(set?.meanAbsoluteError).toBeLessThanOrEqual(target.meanAbsoluteError)
      expect(set?.largestError).toBeLessThanOrEqual(target.largestError)
      expect(set?.passed).toBe(true)
      expect(set?.rows.filter(row => !(row.predicted > 0 && row.published > 0))).toEqual([])
    },
  )
}
