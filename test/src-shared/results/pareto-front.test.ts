import { expect, test } from 'vitest'
import { paretoFront } from '#shared/results/pareto-front.ts'

type Point = readonly [number, number]
const axes = { x: ([user]: Point) => user, y: ([, chip]: Point) => chip }
const points: readonly Point[] = [
  [20, 100],
  [30, 90],
  [40, 95],
  [50, 60],
  [60, 60],
  [70, 20],
]

test('has the points that no other one beats, in order', () => {
  expect(paretoFront(points, axes)).toEqual([
    [20, 100],
    [40, 95],
    [60, 60],
    [70, 20],
  ])
})

test('depends on the axes', () => {
  const fewest = { x: ([user]: Point) => -user, y: axes.y }
  expect(paretoFront(points, fewest)).toEqual([[20, 100]])
})

test('takes in no failed point, and one of two equal ones', () => {
  const failed: readonly Point[] = [
    [Number.NaN, 200],
    [90, Infinity],
    [20, 100],
    [20, 100],
  ]
  expect(paretoFront(failed, axes)).toEqual([[20, 100]])
})
