import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EventQueue, type TimedEvent } from '#shared/models/event/event-queue.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

/** An event that can be told from the others. */
interface Labelled extends TimedEvent {
  readonly label: number
  readonly time: number
}

const labelled = (label: number, time: number): Labelled => ({ label, time, fire: () => undefined })

/** Few different times, so that many are equal. */
const times = (maxLength: number) => fc.array(fc.nat({ max: 20 }), { maxLength, size: 'max' })

function drain(queue: EventQueue): (TimedEvent | undefined)[] {
  return Array.from({ length: queue.size }, () => queue.pop())
}

describe('EventQueue', () => {
  test('hands out by time, and equal times in the order in which they were scheduled', () => {
    fc.assert(
      fc.property(times(3000), moments => {
        const queue = new EventQueue()
        const events = moments.map((time, label) => labelled(label, time))
        for (const event of events) queue.push(event.time, event)
        // Array sort is stable.
        expect(drain(queue)).toEqual(events.toSorted((a, b) => a.time - b.time))
      }),
      propertyRuns(60),
    )
  })

  test('does so also where events are taken out between the insertions', () => {
    const step = fc.option(fc.nat({ max: 20 }), { nil: undefined })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), steps => {
        const queue = new EventQueue()
        let expected: Labelled[] = []
        const taken: [TimedEvent | undefined, TimedEvent | undefined][] = []
        steps.forEach((time, label) => {
          if (time === undefined) {
            taken.push([queue.pop(), expected.shift()])
            return
          }
          const event = labelled(label, time)
          queue.push(time, event)
          expected = [...expected, event].toSorted((a, b) => a.time - b.time || a.label - b.label)
        })
        for (const [got, wanted] of taken) expect(got).toBe(wanted)
        expect(queue.size).toBe(expected.length)
        expect(queue.nextTime).toBe(expected[0]?.time ?? Infinity)
        expect(drain(queue)).toEqual(expected)
      }),
      propertyRuns(200),
    )
  })

  test('keeps more events than it has room for at first', () => {
    const queue = new EventQueue()
    for (let index = 0; index < 5000; index++) {
      queue.push(5000 - index, labelled(index, 5000 - index))
    }
    expect(queue.size).toBe(5000)
    expect(queue.nextTime).toBe(1)
    expect(queue.pop()).toMatchObject({ label: 4999 })
  })

  test('has nothing to give when it is empty', () => {
    const queue = new EventQueue()
    expect(queue.pop()).toBeUndefined()
    expect(queue.nextTime).toBe(Infinity)
  })
})
