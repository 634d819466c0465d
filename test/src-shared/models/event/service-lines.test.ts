import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ServiceLines } from '#shared/models/event/service-lines.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

/** Cycles within which the order of customers is not kept. */
const SLOT = 32

interface Customer {
  readonly arrival: number
  readonly work: number
}

const customers = (mostWork: number) =>
  fc.array(
    fc.record({
      arrival: fc.integer({ min: 0, max: 3000 }),
      work: fc.integer({ min: 1, max: mostWork }),
    }),
    { minLength: 1, maxLength: 150 },
  )

function serveAll(all: readonly Customer[], least = 1) {
  const lines = new ServiceLines(1, least)
  const served = all.map(({ arrival, work }) => {
    const start = lines.serve(0, arrival, work)
    return { arrival, work, start, end: start + work }
  })
  return { served, free: lines.freeAt(0), last: Math.max(...served.map(({ end }) => end)) }
}

/** When one server that never idles while somebody waits is through, whatever its order. */
function exactEnd(all: readonly Customer[]): number {
  let free = 0
  for (const { arrival, work } of all.toSorted((a, b) => a.arrival - b.arrival)) {
    free = Math.max(free, arrival) + work
  }
  return free
}

const byArrival = (all: readonly Customer[]) => all.toSorted((a, b) => a.arrival - b.arrival)

describe('ServiceLines', () => {
  test('nobody starts before arriving, nor later than behind all that were announced', () => {
    fc.assert(
      fc.property(customers(100), all => {
        const lines = new ServiceLines(1, 1)
        for (const { arrival, work } of all) {
          const free = lines.freeAt(0)
          const start = lines.serve(0, arrival, work)
          expect(start).toBeGreaterThanOrEqual(arrival)
          expect(start).toBeLessThanOrEqual(Math.max(arrival, free))
        }
      }),
      propertyRuns(300),
    )
  })

  test('an idle server starts at once, to the fraction of a cycle', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), arrival => {
        const lines = new ServiceLines(1, 1)
        expect(lines.serve(0, arrival, 5)).toBe(arrival)
        const free = lines.freeAt(0)
        expect(lines.serve(0, free, 5)).toBe(free)
      }),
      propertyRuns(200),
    )
  })

  test('no window of slots holds more work than it has cycles', () => {
    fc.assert(
      fc.property(customers(100), all => {
        const { served } = serveAll(all)
        const last = Math.ceil(Math.max(...served.map(({ end }) => end)) / SLOT)
        for (let first = 0; first < last; first++) {
          for (let end = first + 1; end <= Math.min(last, first + 12); end++) {
            const work = served
              .filter(one => one.start >= first * SLOT && one.end <= end * SLOT)
              .reduce((sum, one) => sum + one.work, 0)
            expect(work).toBeLessThanOrEqual((end - first) * SLOT)
          }
        }
      }),
      propertyRuns(60),
    )
  })

  test('customers in the order of their arrival leave as from a queue, within a slot', () => {
    fc.assert(
      fc.property(customers(100), all => {
        const inOrder = byArrival(all)
        const { last } = serveAll(inOrder)
        const exact = exactEnd(inOrder)
        expect(last).toBeLessThanOrEqual(exact)
        expect(last).toBeGreaterThan(exact - SLOT)
      }),
      propertyRuns(500),
    )
  })

  test('short work gets through as soon whatever the order of the announcements', () => {
    fc.assert(
      fc.property(customers(1), all => {
        const { last } = serveAll(all)
        // Idle time is only offered while it lies in slots that are remembered and complete.
        expect(last).toBeLessThanOrEqual(exactEnd(all) + 2 * SLOT)
      }),
      propertyRuns(500),
    )
  })

  test('one that arrives before another that was announced earlier takes the idle time', () => {
    const lines = new ServiceLines(1, 1)
    expect(lines.serve(0, 1000, 10)).toBe(1000)
    expect(lines.serve(0, 100, 10)).toBe(100)
    expect(lines.freeAt(0)).toBe(1010)
  })

  test('work that is longer than any idle slot queues behind', () => {
    const lines = new ServiceLines(1, 1)
    lines.serve(0, 1000, 10)
    expect(lines.serve(0, 100, SLOT + 1)).toBe(1010)
  })

  test('idle time is taken once', () => {
    const lines = new ServiceLines(1, 1)
    lines.serve(0, SLOT, 1)
    const starts = Array.from({ length: SLOT + 1 }, () => lines.serve(0, 0, 1))
    expect(starts).toEqual([...Array.from({ length: SLOT }, (_, index) => index), SLOT + 1])
  })

  test('idle time that is long past is forgotten', () => {
    const lines = new ServiceLines(1, 1)
    lines.serve(0, 100_000, 10)
    expect(lines.serve(0, 0, 10)).toBeGreaterThan(100_000 - 129 * SLOT)
  })

  test('servers do not get in the way of each other', () => {
    const lines = new ServiceLines(2, 1)
    lines.serve(0, 0, 100)
    expect(lines.serve(1, 0, 100)).toBe(0)
    expect(lines.freeAt(0)).toBe(100)
  })
})
