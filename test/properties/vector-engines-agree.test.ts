import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { vectorKernels, type VectorInput } from '#shared/schema/vector-input.ts'
import { estimateVector } from '#shared/simulate/run-vector.ts'
import { makeChipConfig, makeHbm } from '#test/support/make-chip.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'
import { makeVectorInput } from '#test/support/make-vector-input.ts'

vi.setConfig({ testTimeout: 60_000 })

const arbitraryVector: fc.Arbitrary<VectorInput> = fc
  .record({
    x: fc.integer({ min: 1, max: 32 }),
    y: fc.integer({ min: 1, max: 32 }),
    channels: fc.constantFrom(32, 48, 64),
    clockGHz: fc.constantFrom(0.965, 1.93),
    kernel: fc.constantFrom(...vectorKernels),
    halfWidth: fc.integer({ min: 16, max: 4096 }),
    dtype: fc.constantFrom('fp16' as const, 'fp8' as const),
    data: fc.constantFrom('zeros' as const, 'random' as const),
    tokens: fc.integer({ min: 1, max: 200 }),
  })
  .map(({ x, y, channels, clockGHz, kernel, halfWidth, ...common }) =>
    makeVectorInput({
      chip: makeChipConfig({ tiles: { x, y }, clockGHz, hbm: makeHbm({ south: channels }) }),
      workload: {
        kernel,
        ...common,
        ...(kernel === 'dispatch' || kernel === 'top-k' ? {} : { width: 2 * halfWidth }),
      },
    }),
  )

const bothEngines = (input: VectorInput) => ({
  phase: estimateVector(input),
  event: estimateVector({ ...input, engine: 'event' }),
})

const alone = (input: VectorInput): VectorInput => ({
  ...input,
  workload: { ...input.workload, tokens: 1 },
})

describe('both engines', () => {
  test('agree within 8 % where a token is alone on the chip, by both timers', () => {
    fc.assert(
      fc.property(arbitraryVector, input => {
        const { phase, event } = bothEngines(alone(input))
        // Increments go to the experts of this token, whose way is not the mean one.
        const most = input.workload.kernel === 'dispatch' ? 0.2 : 0.08
        for (const field of ['cyclesAllTiles', 'cyclesFirstTile'] as const) {
          const difference = event.result[field] / phase.result[field] - 1
          expect(Math.abs(difference)).toBeLessThan(most)
        }
      }),
      propertyRuns(300),
    )
  })

  test('move the same bytes, whatever the tokens, and agree on everything that is counted', () => {
    fc.assert(
      fc.property(arbitraryVector, input => {
        const { phase, event } = bothEngines(input)
        const sum = (counts: readonly number[] = []) =>
          counts.reduce((total, count) => total + count, 0)
        expect(sum(event.event?.channels.readBytes)).toBe(phase.result.hbmReadBytes)
        expect(sum(event.event?.channels.writtenBytes)).toBe(phase.result.hbmWriteBytes)
        expect(event.result.mapping).toEqual(phase.result.mapping)
        expect(event.result.l1PeakBytes).toBe(phase.result.l1PeakBytes)
      }),
      propertyRuns(150),
    )
  })

  test('never end before the bytes at the peak, and their parts add up to the runtime', () => {
    fc.assert(
      fc.property(arbitraryVector, input => {
        const { result, explanation } = estimateVector({ ...input, engine: 'event' })
        const bytes = result.hbmReadBytes + result.hbmWriteBytes
        const allTiles = (result.cyclesAllTiles / result.cycles) * result.seconds
        expect(allTiles).toBeGreaterThanOrEqual((bytes / result.peakHbmBytesPerSecond) * (1 - 1e-9))
        expect(result.cyclesAllTiles).toBeGreaterThanOrEqual(result.cyclesFirstTile)
        const parts = result.breakdown.reduce((total, { seconds }) => total + seconds, 0)
        expect(Math.abs(parts / result.seconds - 1)).toBeLessThan(1e-9)
        const sources = explanation.filter(({ field }) => field === 'cyclesAllTiles')
        expect(sources.map(({ source }) => source.split(' ')[0])).toEqual(['Discrete-event'])
      }),
      propertyRuns(150),
    )
  })
})
