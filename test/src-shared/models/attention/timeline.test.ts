import { describe, expect, test } from 'vitest'
import {
  ExposedTime,
  exposedTail,
  inParallel,
  segment,
  totalCycles,
} from '#shared/models/attention/timeline.ts'

const chain = [
  segment('hbm', 100, 'a hbm'),
  segment('multicast', 50, 'a multicast'),
  segment('vector', 30, 'a vector'),
]

test('a chain takes the sum of its segments', () => {
  expect(totalCycles(chain)).toBe(180)
})

describe('exposed tail', () => {
  test('is the whole chain where nothing hides it', () => {
    expect(exposedTail(chain, 0)).toEqual(chain)
  })

  test('begins inside the segment that the cover ends in', () => {
    expect(exposedTail(chain, 120)).toEqual([
      segment('multicast', 30, 'a multicast'),
      segment('vector', 30, 'a vector'),
    ])
  })

  test('is empty under a longer cover', () => {
    expect(exposedTail(chain, 180)).toEqual([])
  })
})

describe('two chains in parallel', () => {
  test('take the time of the longer one', () => {
    const loads = [segment('hbm', 90, 'a hbm')]
    expect(totalCycles(inParallel([segment('vector', 40, 'a vector')], loads))).toBe(90)
    expect(totalCycles(inParallel([segment('vector', 200, 'a vector')], loads))).toBe(200)
  })

  test('count vector time first and of the other what outlasts it', () => {
    expect(inParallel([segment('vector', 40, 'a vector')], [segment('hbm', 90, 'a hbm')])).toEqual([
      segment('vector', 40, 'a vector'),
      segment('hbm', 50, 'a hbm'),
    ])
  })
})

describe('exposed time', () => {
  test('starts with none of any component', () => {
    expect(Object.values(new ExposedTime().components)).toEqual([0, 0, 0, 0, 0, 0, 0])
  })

  test('adds a chain as often as it runs', () => {
    const time = new ExposedTime()
    time.add(chain, 'in a loop', 3)
    expect(time.components).toMatchObject({ hbm: 300, multicast: 150, vector: 90, matrix: 0 })
    expect(time.total).toBe(540)
  })

  test('adds the time of another kernel', () => {
    const time = new ExposedTime()
    time.add(chain, 'once')
    const other = new ExposedTime()
    other.add([segment('hbm', 1, 'a hbm'), segment('other', 2, 'a other')], 'once')
    time.addAll(other)
    expect(time.components).toMatchObject({ hbm: 101, other: 2 })
  })
})

describe('contributions to exposed time', () => {
  test('keep the operation, its place and how often it occurs', () => {
    const time = new ExposedTime()
    time.add([segment('hbm', 100, 'load of K'), segment('vector', 30, 'softmax')], 'per block', 4)
    expect(time.contributions('hbm')).toEqual([
      { component: 'hbm', cycles: 100, name: 'load of K', place: 'per block', count: 4 },
    ])
  })

  test('merge the same operation at the same place, also from another kernel', () => {
    const [time, other] = [new ExposedTime(), new ExposedTime()]
    time.add([segment('hbm', 100, 'load of K')], 'per block', 4)
    other.add([segment('hbm', 100, 'load of K')], 'per block', 2)
    other.add([segment('hbm', 60, 'load of K')], 'per block')
    time.addAll(other)
    expect(time.contributions('hbm').map(({ cycles, count }) => [cycles, count])).toEqual([
      [100, 6],
      [60, 1],
    ])
  })

  test('leave out what takes no time', () => {
    const time = new ExposedTime()
    time.add([segment('hbm', 0, 'load of K')], 'per block', 4)
    time.add([segment('hbm', 100, 'load of V')], 'per block', 0)
    expect(time.contributions('hbm')).toEqual([])
  })
})
