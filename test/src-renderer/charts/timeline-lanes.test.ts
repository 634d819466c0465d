import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnsOf, lanesOf, operationAt, phaseTotals } from '#renderer/charts/timeline/lane.ts'
import { panned, ticksOf, zoomed } from '#renderer/charts/timeline/time-window.ts'
import type { TimelineOperation } from '#shared/results/event-report.ts'

const operation = (changes: Partial<TimelineOperation>): TimelineOperation => ({
  tile: 0,
  engine: 'dma',
  component: 'hbm',
  name: 'load of K',
  start: 0,
  end: 10,
  ...changes,
})
const someOperations = fc.array(
  fc
    .record({
      tile: fc.integer({ min: 0, max: 2 }),
      engine: fc.constantFrom('matrix', 'vector', 'dma'),
      component: fc.constantFrom('matrix', 'vector', 'hbm', 'multicast'),
      start: fc.integer({ min: 0, max: 900 }),
      length: fc.integer({ min: 1, max: 100 }),
    })
    .map(({ start, length, ...rest }) => operation({ ...rest, start, end: start + length })),
  { maxLength: 60 },
)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

test('columns of any number together are as busy as the operations', () => {
  fc.assert(
    fc.property(someOperations, fc.integer({ min: 1, max: 300 }), (operations, count) => {
      const lanes = lanesOf(operations)
      const busy = sum(
        lanes.flatMap(lane => columnsOf(lane, 0, 1000, count).map(column => column.busyCycles)),
      )
      expect(busy).toBeCloseTo(sum(operations.map(({ start, end }) => end - start)), 6)
    }),
  )
})

test('no column is busy for longer than it lasts, and no operation of a lane overlaps another', () => {
  fc.assert(
    fc.property(someOperations, operations => {
      for (const lane of lanesOf(operations)) {
        for (const { busyCycles } of columnsOf(lane, 0, 1000, 37)) {
          expect(busyCycles).toBeLessThanOrEqual(1000 / 37 + 1e-6)
        }
        lane.operations.forEach(({ start }, index) => {
          expect(lane.operations[index - 1]?.end ?? 0).toBeLessThanOrEqual(start)
        })
      }
    }),
  )
})

test('collectives have a lane apart from the transfers of the same DMA', () => {
  const lanes = lanesOf([
    operation({ component: 'multicast', name: 'multicast of K' }),
    operation({}),
    operation({ start: 5, end: 12 }),
    operation({ engine: 'matrix', component: 'matrix', name: 'P · V' }),
  ])
  expect(lanes.map(({ label }) => label)).toEqual(['matrix', 'DMA 1', 'DMA 2', 'collectives'])
})

test('the operation under the pointer is the one at that moment', () => {
  const [lane] = lanesOf([operation({}), operation({ name: 'load of V', start: 20, end: 30 })])
  if (lane === undefined) throw new Error('no lane')
  expect(operationAt(lane, 25)?.name).toBe('load of V')
  expect(operationAt(lane, 15)).toBeUndefined()
  expect(phaseTotals(lane.operations)).toEqual(
    new Map([
      ['load of K', 10],
      ['load of V', 10],
    ]),
  )
})

test('a million operations take as long to aggregate as there are columns', () => {
  const [lane] = lanesOf(
    Array.from({ length: 1_000_000 }, (_, index) =>
      operation({ engine: 'matrix', start: 3 * index, end: 3 * index + 2 }),
    ),
  )
  if (lane === undefined) throw new Error('no lane')
  const start = performance.now()
  const columns = columnsOf(lane, 0, 3_000_000, 1500)
  const ms = performance.now() - start
  console.info(`1,000,000 operations in 1,500 columns: ${ms.toFixed(2)} ms`)
  expect(sum(columns.map(({ busyCycles }) => busyCycles))).toBe(2_000_000)
  expect(ms).toBeLessThan(50)
})

test('a window stays inside the run, and zooming keeps the moment where it is', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.2, max: 5, noNaN: true }),
      fc.double({ min: -3, max: 3, noNaN: true }),
      (factor, share) => {
        const window = panned(zoomed({ from: 200, to: 700 }, factor, 300, 1000), share, 1000)
        expect(window.from).toBeGreaterThanOrEqual(0)
        expect(window.to).toBeLessThanOrEqual(1000 + 1e-9)
      },
    ),
  )
  expect(zoomed({ from: 200, to: 600 }, 2, 300, 1000)).toEqual({ from: 250, to: 450 })
  expect(ticksOf({ from: 0, to: 100 }, 5)).toEqual([0, 20, 40, 60, 80, 100])
})
