import { expect, test } from 'vitest'
import { phaseRows } from '#renderer/results/event/phase-rows.ts'
import { packTimeline, unpackTimeline } from '#shared/results/packed-timeline.ts'
import type { TimelineOperation } from '#shared/results/event-report.ts'

const make = (name: string, tile: number, start: number, end: number): TimelineOperation => ({
  tile,
  engine: 'matrix',
  component: 'matrix',
  name,
  start,
  end,
})
const first = { timeline: [make('P · V', 0, 0, 10), make('P · V', 1, 0, 30)], stretch: 2 }

test('phases are the mean of the tiles, stretched to the whole run, with the difference', () => {
  const second = { timeline: [make('P · V', 0, 0, 50), make('exp', 0, 60, 61)], stretch: 1 }
  expect(phaseRows(first, second)).toEqual([
    { name: 'P · V', cycles: 40, other: 50, change: 0.25 },
    { name: 'exp', cycles: 0, other: 1, change: undefined },
  ])
  expect(phaseRows(first, undefined)).toEqual([
    { name: 'P · V', cycles: 40, other: undefined, change: undefined },
  ])
})

test('a packed timeline comes out as it went in, and one that is cut is refused', () => {
  const timeline = [...first.timeline, { ...make('load of K', 0, 3, 4), bytes: 64 }]
  const packed = packTimeline(timeline)
  expect(packed.kinds).toHaveLength(2)
  expect(unpackTimeline(packed)).toEqual(timeline)
  expect(() => unpackTimeline({ ...packed, end: [1] })).toThrow('operation 1 is not whole')
})
