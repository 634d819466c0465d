import { describe, expect, test } from 'vitest'
import {
  compared,
  comparedInPoints,
  comparedWithBound,
  exactly,
  meanOf,
  spreadOf,
  validationSet,
} from '#shared/validation/validation-set.ts'

const set = (errors: readonly number[], target = { meanAbsoluteError: 0.1, largestError: 0.2 }) =>
  validationSet({
    id: 'some-set',
    title: 'Some set',
    source: 'nowhere',
    target,
    rows: errors.map(error => compared('row', 'cycles', 100 * (1 + error), 100)),
  })

describe('a row', () => {
  test('compares in proportion', () => {
    expect(compared('a', 'cycles', 110, 100).error).toBeCloseTo(0.1, 12)
    expect(compared('a', 'cycles', 90, 100).error).toBeCloseTo(-0.1, 12)
  })

  test('compares percentages in points', () => {
    expect(comparedInPoints('a', 92, 90).error).toBeCloseTo(0.02, 12)
  })

  test('with a published bound counts only what is missing', () => {
    expect(comparedWithBound('a', '%', 80, 65).error).toBe(0)
    expect(comparedWithBound('a', '%', 60, 65).error).toBeCloseTo(-5 / 65, 12)
  })
})

describe('a set', () => {
  test('passes within mean and largest error, of either sign', () => {
    expect(set([0.2, -0.1, 0, 0])).toMatchObject({ passed: true })
  })

  test('fails beyond the mean error', () => {
    expect(set([0.15, -0.15])).toMatchObject({ passed: false })
  })

  test('fails where one row is beyond the largest error', () => {
    expect(set([-0.25, 0, 0, 0])).toMatchObject({ passed: false })
  })

  test('reports both errors', () => {
    const { meanAbsoluteError, largestError } = set([0.2, -0.1])
    expect(meanAbsoluteError).toBeCloseTo(0.15, 12)
    expect(largestError).toBeCloseTo(0.2, 12)
  })

  test('that must be exact fails with the smallest error', () => {
    expect(set([0, 0], exactly).passed).toBe(true)
    expect(set([0, 1e-9], exactly).passed).toBe(false)
  })

  test('fails with a prediction that is no number', () => {
    expect(set([0, Number.NaN]).passed).toBe(false)
  })

  test('fails without rows: nothing was compared', () => {
    expect(set([]).passed).toBe(false)
  })
})

describe('the spread of values', () => {
  test('is their number, the ends and the deviation from their mean', () => {
    expect(spreadOf([2, 4, 4, 4, 5, 5, 7, 9])).toEqual({
      count: 8,
      minimum: 2,
      maximum: 9,
      standardDeviation: 2,
    })
  })

  test('is nothing for equal values', () => {
    expect(spreadOf([3, 3]).standardDeviation).toBe(0)
  })

  test('of no values does not let a set pass', () => {
    const row = compared('mean', '1', meanOf([]), 1)
    const target = { meanAbsoluteError: 1, largestError: 1 }
    expect(validationSet({ id: 'a', title: 'a', source: 'a', target, rows: [row] }).passed).toBe(
      false,
    )
  })
})
