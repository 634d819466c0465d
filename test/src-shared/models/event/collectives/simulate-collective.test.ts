import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  collectiveImplementations,
  collectiveOperations,
  type CollectiveConfig,
} from '#shared/schema/collective-input.ts'
import { estimateCollective } from '#shared/simulate/run-collective.ts'
import { evaluateFormula } from '#test/support/evaluate-formula.ts'
import { makeChipConfig, makeHbm } from '#test/support/make-chip.ts'
import { makeCollectiveInput } from '#test/support/make-collective-input.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const chip = makeChipConfig({ tiles: { x: 7, y: 5 }, hbm: makeHbm({ south: 4 }) })

const run = (engine: 'phase' | 'event', changes: Partial<CollectiveConfig>) =>
  estimateCollective({ ...makeCollectiveInput(changes, chip), engine })

const arbitraryCollective = fc
  .record({
    operation: fc.constantFrom(...collectiveOperations),
    implementation: fc.constantFrom(...collectiveImplementations),
    columns: fc.integer({ min: 1, max: 7 }),
    rows: fc.integer({ min: 1, max: 5 }),
    elements: fc.integer({ min: 16, max: 20_000 }),
    stages: fc.integer({ min: 1, max: 16 }),
    barriers: fc.constantFrom('participants', 'chip'),
  })
  .map(({ elements, stages, ...rest }) => ({
    ...rest,
    bytes: 2 * elements,
    ...(rest.implementation === 'sw-pipelined' ? { stages } : {}),
  }))

describe('a collective on the event engine', () => {
  test('has the parts and steps of the phase engine, and takes about as long on an idle mesh', () => {
    fc.assert(
      fc.property(arbitraryCollective, changes => {
        const [phase, event] = [run('phase', changes).result, run('event', changes).result]
        expect(event.steps).toBe(phase.steps)
        expect(event.parts.map(({ part }) => part)).toEqual(phase.parts.map(({ part }) => part))
        expect(event.cycles).toBeCloseTo(
          event.parts.reduce((sum, part) => sum + part.cycles, 0),
          6,
        )
        expect(Math.abs(event.cycles - phase.cycles)).toBeLessThanOrEqual(0.08 * phase.cycles)
      }),
      propertyRuns(150),
    )
  })

  test('takes no time on one tile', () => {
    const { result } = run('event', { columns: 1, rows: 1 })
    expect(result).toMatchObject({ cycles: 0, bandwidthBytesPerSecond: 0, parts: [] })
  })

  test('says with its explanation where each number comes from', () => {
    const { explanation, result } = run('event', { columns: 7, rows: 5, operation: 'sum' })
    expect(explanation.map(({ field }) => field)).toEqual([
      'cycles',
      'parts.row',
      'parts.barrier',
      'parts.column',
      'seconds',
      'bandwidthBytesPerSecond',
      'steps',
    ])
    expect(explanation[1]?.source).toMatch(/^Discrete-event simulation/)
    for (const entry of explanation) {
      const value = evaluateFormula(entry).at(-1)?.value ?? entry.value
      expect(Math.abs(value - entry.value)).toBeLessThanOrEqual(1e-9 * entry.value)
    }
    expect(explanation[0]?.value).toBe(result.cycles)
  })
})

describe('bytes on the links', () => {
  const bytesOf = (changes: Partial<CollectiveConfig>) => {
    const { event } = run('event', { bytes: 12_800, columns: 7, rows: 1, ...changes })
    return event?.links.bytes.reduce((sum, bytes) => sum + bytes, 0) ?? 0
  }

  test('of a hardware multicast are one copy for each link, and one for the tile', () => {
    expect(bytesOf({ implementation: 'hw' })).toBe(12_800 * (6 + 1))
  })

  test('of unicasts from one tile grow with the distance of each', () => {
    expect(bytesOf({ implementation: 'sw-seq' })).toBe(12_800 * (1 + 2 + 3 + 4 + 5 + 6 + 6))
  })

  test('of a pipeline pass each link once', () => {
    expect(bytesOf({ implementation: 'sw-pipelined', stages: 5 })).toBe(12_800 * (6 + 6))
  })

  test('are those of all rows where the whole chip takes part', () => {
    expect(bytesOf({ barriers: 'chip' })).toBe(5 * bytesOf({}))
  })
})
