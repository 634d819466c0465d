import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Activity } from '#shared/models/event/activity.ts'
import { breakdownComponents, type BreakdownComponent } from '#shared/results/attention-result.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

interface Interval {
  readonly component: BreakdownComponent
  readonly start: number
  readonly end: number
}

const END = 400

const intervals: fc.Arbitrary<Interval[]> = fc.array(
  fc
    .tuple(fc.constantFrom(...breakdownComponents), fc.nat({ max: END }), fc.nat({ max: END }))
    .map(([component, one, other]) => ({
      component,
      start: Math.min(one, other),
      end: Math.max(one, other),
    })),
  { maxLength: 40 },
)

function exposedOf(all: readonly Interval[], until = END) {
  const activity = new Activity(1, [], [0])
  for (const { component, start, end } of all) {
    activity.note(0, 'dma', component, 'work', start, end)
  }
  return activity.exposedTime(until)
}

const sumOf = (times: Readonly<Record<string, number>>) =>
  Object.values(times).reduce((sum, time) => sum + time, 0)

describe('exposed time', () => {
  test('adds up to the whole time, whatever overlaps', () => {
    fc.assert(
      fc.property(intervals, all => {
        expect(sumOf(exposedOf(all))).toBeCloseTo(END, 6)
      }),
      propertyRuns(300),
    )
  })

  test('of each cycle goes to the first component of the list that is at work', () => {
    fc.assert(
      fc.property(intervals, all => {
        const expected = Object.fromEntries(breakdownComponents.map(component => [component, 0]))
        for (let cycle = 0; cycle < END; cycle++) {
          const busy = all.filter(({ start, end }) => start <= cycle && cycle < end)
          const first =
            breakdownComponents.find(one => busy.some(({ component }) => component === one)) ??
            'other'
          expected[first] = (expected[first] ?? 0) + 1
        }
        expect(exposedOf(all)).toEqual(expected)
      }),
      propertyRuns(100),
    )
  })

  test('is the mean over the sampled tiles', () => {
    const activity = new Activity(3, [], [0, 2])
    activity.note(0, 'matrix', 'matrix', 'work', 0, 10)
    activity.note(1, 'matrix', 'matrix', 'work', 0, 50)
    activity.note(2, 'matrix', 'matrix', 'work', 0, 30)
    const times = activity.exposedTime(100)
    expect([times.matrix, times.other]).toEqual([20, 80])
  })

  test('can be asked for in between, and counts nothing twice', () => {
    const activity = new Activity(1, [], [0])
    activity.note(0, 'matrix', 'matrix', 'work', 0, 10)
    expect(activity.exposedTime(10).matrix).toBe(10)
    activity.note(0, 'matrix', 'matrix', 'work', 20, 25)
    expect(activity.exposedTime(30).matrix).toBe(15)
  })
})

describe('Activity', () => {
  test('keeps the operations of the tiles that were asked for, and busy times of all', () => {
    const activity = new Activity(2, [1], [])
    activity.note(0, 'vector', 'vector', 'unseen', 0, 4)
    activity.note(1, 'vector', 'vector', 'seen', 2, 5)
    expect([0, 1].map(tile => activity.vector.total(tile))).toEqual([4, 3])
    expect(activity.operations).toEqual([
      { tile: 1, engine: 'vector', component: 'vector', name: 'seen', start: 2, end: 5 },
    ])
  })

  test('gives a tile that was not simulated the times of the one that stood for it', () => {
    const activity = new Activity(2, [], [])
    activity.note(0, 'matrix', 'matrix', 'work', 0, 4)
    activity.note(0, 'dma', 'hbm', 'work', 0, 7)
    activity.copyBusyTimes(0, 1)
    expect([activity.matrix, activity.vector, activity.dma].map(busy => busy.total(1))).toEqual([
      4, 0, 7,
    ])
  })
})
