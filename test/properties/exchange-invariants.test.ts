import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flitsOf, type Exchange } from '#shared/models/wafer/exchange.ts'
import { flitLatency, linkTiming } from '#shared/models/wafer/link-timing.ts'
import { routeOf, topologyOf } from '#shared/models/wafer/topology.ts'
import { d2dTopologies, type SystemConfig } from '#shared/schema/system.ts'
import { allToAll, timeOf } from '#shared/validation/published-wafer.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'
import { makeWafer } from '#test/support/make-wafer.ts'

interface Case {
  readonly chips: SystemConfig['chips']
  readonly links: Partial<SystemConfig['d2d']>
  readonly exchange: Exchange
}

const side = fc.integer({ min: 1, max: 4 })

/** Any messages between any chips, over any links. */
const cases = fc.record({ x: side, y: side }).chain(chips =>
  fc.record<Case>({
    chips: fc.constant(chips),
    links: fc.record({
      topology: fc.constantFrom(...d2dTopologies),
      linkGBps: fc.constantFrom(50, 160, 1000, 1024, 3000),
      linkLatencyNs: fc.constantFrom(0, 5, 256),
      portLatencyNs: fc.constantFrom(0, 3, 50),
      portLinks: fc.constantFrom(1, 2, 0.5),
      fifoFlits: fc.constantFrom(8, 64, 1024),
      creditBatch: fc.constantFrom(1, 8),
    }),
    exchange: fc.record({
      flitsPerMessage: fc.integer({ min: 1, max: 14 }),
      destinations: fc.array(
        fc
          .array(fc.nat({ max: chips.x * chips.y - 1 }), { maxLength: 30 })
          .map(list => Int32Array.from(list)),
        { minLength: chips.x * chips.y, maxLength: chips.x * chips.y },
      ),
    }),
  }),
)

const sum = (values: ArrayLike<number>) =>
  Array.from(values).reduce((total, value) => total + value, 0)

test('every flit is sent once, received once, and counted on each link of its way', () => {
  fc.assert(
    fc.property(cases, ({ chips, links, exchange }) => {
      const wafer = makeWafer(chips, links)
      const topology = topologyOf(wafer.d2d.topology, wafer)
      const hops = exchange.destinations.flatMap((list, source) =>
        Array.from(list, destination => routeOf(topology, source, destination).length),
      )
      for (const engine of ['event', 'closed-form'] as const) {
        const { sentFlits, receivedFlits, linkFlits } = timeOf(exchange, wafer, engine)
        expect(sum(sentFlits)).toBe(flitsOf(exchange))
        expect(sum(receivedFlits)).toBe(flitsOf(exchange))
        expect(sum(linkFlits)).toBe(sum(hops) * exchange.flitsPerMessage)
      }
      expect(timeOf(exchange, wafer, 'event').linkFlits).toEqual(
        timeOf(exchange, wafer, 'closed-form').linkFlits,
      )
    }),
    propertyRuns(100),
  )
})

test('never faster than the busiest link, the busiest port or the longest way', () => {
  fc.assert(
    fc.property(cases, ({ chips, links, exchange }) => {
      const wafer = makeWafer(chips, links)
      const timing = linkTiming(wafer)
      const topology = topologyOf(wafer.d2d.topology, wafer)
      const time = timeOf(exchange, wafer, 'event')
      const longest = Math.max(
        0,
        ...exchange.destinations.flatMap((list, source) =>
          Array.from(list, to => flitLatency(routeOf(topology, source, to).length, timing)),
        ),
      )
      // The first flit of a stream is there after its latency, and N − 1 follow.
      const after = (flits: Float64Array) => Math.max(1, ...flits) - 1
      const slack = 1 + 1e-9
      expect(time.lastData * slack).toBeGreaterThanOrEqual(longest)
      expect(time.lastData * slack).toBeGreaterThanOrEqual(after(time.linkFlits) * timing.interval)
      for (const flits of [time.sentFlits, time.receivedFlits]) {
        expect(time.lastData * slack).toBeGreaterThanOrEqual(after(flits) * timing.portInterval)
      }
    }),
    propertyRuns(100),
  )
})

test('more bandwidth, less latency and more credits are never slower', () => {
  const better = fc.constantFrom<(links: Case['links']) => Case['links']>(
    links => ({ ...links, linkGBps: 2 * (links.linkGBps ?? 1) }),
    links => ({ ...links, linkLatencyNs: (links.linkLatencyNs ?? 0) / 2 }),
    links => ({ ...links, portLatencyNs: (links.portLatencyNs ?? 0) / 2 }),
    links => ({ ...links, fifoFlits: 4 * (links.fifoFlits ?? 1) }),
  )
  fc.assert(
    fc.property(cases, better, ({ chips, links, exchange }, improve) => {
      const time = (d2d: Case['links']) =>
        timeOf(exchange, makeWafer(chips, d2d), 'closed-form').lastData
      expect(time(improve(links))).toBeLessThanOrEqual(time(links) * (1 + 1e-9))
    }),
    propertyRuns(200),
  )
})

test('twice the bandwidth is never slower flit by flit where all chips talk to all', () => {
  fc.assert(
    fc.property(
      fc.record({ x: side, y: side }),
      fc.constantFrom(...d2dTopologies),
      fc.integer({ min: 1, max: 20 }),
      (chips, topology, flits) => {
        const exchange = allToAll(chips.x * chips.y, flits)
        const time = (linkGBps: number) =>
          timeOf(exchange, makeWafer(chips, { topology, linkGBps }), 'event').lastData
        const times = [100, 200, 400, 1600].map(time)
        expect(times).toEqual(times.toSorted((a, b) => b - a))
      },
    ),
    propertyRuns(40),
  )
})

test('an all-to-all is never slower on a torus than on a mesh', () => {
  fc.assert(
    fc.property(
      fc.record({ x: side, y: side }),
      fc.integer({ min: 1, max: 40 }),
      (chips, flits) => {
        const exchange = allToAll(chips.x * chips.y, flits)
        const on = (topology: 'mesh' | 'torus', engine: 'event' | 'closed-form') =>
          timeOf(exchange, makeWafer(chips, { topology }), engine).lastData
        for (const engine of ['event', 'closed-form'] as const) {
          expect(on('torus', engine)).toBeLessThanOrEqual(on('mesh', engine))
        }
      },
    ),
    propertyRuns(40),
  )
})

test('the closed form is near the simulation where all chips talk to all', () => {
  fc.assert(
    fc.property(
      fc.record({ x: side, y: side }),
      fc.constantFrom(...d2dTopologies),
      fc.integer({ min: 1, max: 60 }),
      (chips, topology, flits) => {
        fc.pre(chips.x * chips.y > 1)
        const exchange = allToAll(chips.x * chips.y, flits)
        const wafer = makeWafer(chips, { topology })
        const ratio =
          timeOf(exchange, wafer, 'closed-form').lastData /
          timeOf(exchange, wafer, 'event').lastData
        expect(ratio).toBeGreaterThan(0.84)
        expect(ratio).toBeLessThan(1.16)
      },
    ),
    propertyRuns(60),
  )
})
