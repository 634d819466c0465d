import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GroupBarrier } from '#shared/models/event/group-barrier.ts'
import type { Program } from '#shared/models/event/simulator.ts'
import { TileMachine } from '#shared/models/event/tile-machine.ts'
import { makeChip } from '#test/support/make-chip.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const LATENCY = 40

function makeMachine(): TileMachine {
  return new TileMachine(makeChip({ tiles: { x: 4, y: 4 } }), {
    timelineTiles: [],
    sampledTiles: [],
  })
}

/** Tiles that meet after each of several pieces of work; when each of them went on. */
function meet(barrier: GroupBarrier, machine: TileMachine, work: readonly (readonly number[])[]) {
  const opened: number[][] = work.map(() => [])
  work.forEach((pauses, tile) => {
    function* program(): Program {
      for (const pause of pauses) {
        yield machine.now + pause
        yield barrier.arrive()
        opened[tile]?.push(machine.now)
      }
    }
    machine.simulator.spawn(program())
  })
  while (machine.simulator.run(1000));
  return opened
}

describe('GroupBarrier', () => {
  test('opens for all its latency after the last has come, again and again', () => {
    const rounds = fc.record({
      tiles: fc.integer({ min: 1, max: 6 }),
      rounds: fc.integer({ min: 1, max: 5 }),
    })
    const work = rounds.chain(({ tiles, rounds: count }) =>
      fc.array(fc.array(fc.nat({ max: 100 }), { minLength: count, maxLength: count }), {
        minLength: tiles,
        maxLength: tiles,
      }),
    )
    fc.assert(
      fc.property(work, pauses => {
        const machine = makeMachine()
        const barrier = new GroupBarrier(machine, pauses.length, LATENCY)
        const opened = meet(barrier, machine, pauses)
        let expected = 0
        const moments = (pauses[0] ?? []).map((_, round) => {
          expected += Math.max(...pauses.map(own => own[round] ?? 0)) + LATENCY
          return expected
        })
        expect(opened).toEqual(pauses.map(() => moments))
      }),
      propertyRuns(200),
    )
  })

  test('waits for as many as it is told to expect', () => {
    const machine = makeMachine()
    const barrier = new GroupBarrier(machine, 16, LATENCY)
    barrier.expect(2)
    expect(meet(barrier, machine, [[10], [30]])).toEqual([[70], [70]])
  })

  test('does not open while one is missing', () => {
    const machine = makeMachine()
    expect(meet(new GroupBarrier(machine, 3, LATENCY), machine, [[10], [30]])).toEqual([[], []])
  })
})
