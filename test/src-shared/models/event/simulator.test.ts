import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Signal, Simulator, type Program } from '#shared/models/event/simulator.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

/** Runs to the end. */
function finish(simulator: Simulator): void {
  while (simulator.run(1000));
}

describe('Simulator', () => {
  test('programs go on at the moments that they ask for, in the order of time', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.nat({ max: 50 }), { maxLength: 6 }), { maxLength: 8 }),
        all => {
          const simulator = new Simulator()
          const seen: number[] = []
          function* program(pauses: readonly number[]): Program {
            let expected = 0
            for (const pause of pauses) {
              expected += pause
              yield expected
              expect(simulator.now).toBe(expected)
              seen.push(expected)
            }
          }
          const ends = all.map(pauses => simulator.spawn(program(pauses)))
          finish(simulator)
          expect(seen).toEqual(seen.toSorted((a, b) => a - b))
          const sums = all.map(pauses => pauses.reduce((sum, pause) => sum + pause, 0))
          expect(ends.map(({ time }) => time)).toEqual(sums)
        },
      ),
      propertyRuns(200),
    )
  })

  test('a moment that has passed already is no reason to wait', () => {
    const simulator = new Simulator()
    const seen: number[] = []
    function* program(): Program {
      yield 10
      yield 5
      seen.push(simulator.now)
    }
    simulator.spawn(program())
    finish(simulator)
    expect(seen).toEqual([10])
  })

  test('all come when the last has come', () => {
    const simulator = new Simulator()
    const late = new Signal(simulator)
    const all = simulator.all([3, late, 20])
    simulator.schedule(7, {
      fire: () => {
        late.completeAt(42)
      },
    })
    finish(simulator)
    expect(all.time).toBe(42)
    expect(simulator.all([]).time).toBe(42)
  })

  test('handles no more events than it is told to, and says whether there are more', () => {
    const simulator = new Simulator()
    for (let time = 0; time < 10; time++) simulator.schedule(time, { fire: () => undefined })
    expect(simulator.run(4)).toBe(true)
    expect([simulator.events, simulator.now]).toEqual([4, 3])
    expect(simulator.run(6)).toBe(false)
    expect(simulator.run(1)).toBe(false)
    expect(simulator.events).toBe(10)
  })
})

describe('Signal', () => {
  const wakeUp = (simulator: Simulator, seen: number[]) => ({
    fire: () => {
      seen.push(simulator.now)
    },
  })

  test('wakes those who wait when it comes, and those who ask later at once', () => {
    const simulator = new Simulator()
    const seen: number[] = []
    const signal = new Signal(simulator)
    signal.wake(wakeUp(simulator, seen))
    signal.wake(wakeUp(simulator, seen))
    expect(simulator.run(1)).toBe(false)
    signal.completeAt(30)
    finish(simulator)
    signal.wake(wakeUp(simulator, seen))
    finish(simulator)
    expect(seen).toEqual([30, 30, 30])
  })

  test('nobody who waits for it is told twice', () => {
    const simulator = new Simulator()
    const seen: number[] = []
    const signal = new Signal(simulator)
    signal.wake(wakeUp(simulator, seen))
    signal.completeAt(5)
    signal.completeAt(5)
    finish(simulator)
    expect(seen).toEqual([5])
  })
})
