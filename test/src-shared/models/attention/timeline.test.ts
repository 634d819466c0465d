import { describe, expect, test } from 'vitest'
import {
  ExposedTime,
  exposedTail,
  inParallel,
  segment,
  totalCycles,
} from '#shared/models/attention/timeline.ts'

const chain = [segment('hbm', 100), segment('multicast', 50), segment('vector', 30)]

test('a chain takes the sum of its segments', () => {
  expect(totalCycles(chain)).toBe(180)
})

describe('exposed tail', () => {
  test('is the whole chain where nothing hides it', () => {
    expect(exposedTail(chain, 0)).toEqual(chain)
  })

  test('begins inside the segment that the cover ends in', () => {
    expect(exposedTail(chain, 120)).toEqual([segment('multicast', 30), segment('vector', 30)])
  })

  test('is empty under a longer cover', () => {
    expect(exposedTail(chain, 180)).toEqual([])
  })
})

describe('two chains in parallel', () => {
  test('take the time of the longer one', () => {
    const loads = [segment('hbm', 90)]
    expect(totalCycles(inParallel([segment('vector', 40)], loads))).toBe(90)
    expect(totalCycles(inParallel([segment('vector', 200)], loads))).toBe(200)
  })

  test('count vector time first and of the other what outlasts it', () => {
    expect(inParallel([segment('vector', 40)], [segment('hbm', 90)])).toEqual([
      segment('vector', 40),
      segment('hbm', 50),
    ])
  })
})

describe('exposed time', () => {
  test('starts with none of any component', () => {
    expect(Object.values(new ExposedTime().components)).toEqual([0, 0, 0, 0, 0, 0, 0])
  })

  test('adds a chain as often as it runs', () => {
    const time = new ExposedTime()
    time.add(chain, 3)
    expect(time.components).toMatchObject({ hbm: 300, multicast: 150, vector: 90, matrix: 0 })
    expect(time.total).toBe(540)
  })

  test('adds the time of another kernel', () => {
    const time = new ExposedTime()
    time.add(chain)
    const other = new ExposedTime()
    other.add([segment('hbm', 1), segment('other', 2)])
    time.addAll(other)
    expect(time.components).toMatchObject({ hbm: 101, other: 2 })
  })
})
