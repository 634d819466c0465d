import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { resolveChip } from '#shared/schema/chip.ts'
import {
  vectorKernels,
  type VectorDocument,
  type VectorInput,
} from '#shared/schema/vector-input.ts'
import { arbitraryChip } from '#test/support/make-arbitrary-input.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'
import { makeVectorInput, makeVectorOutcome } from '#test/support/make-vector-input.ts'

vi.setConfig({ testTimeout: 60_000 })
/** Room for rounding in comparisons of sums that are equal on paper. */
const ROUNDING = 1e-9

const tokens = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(1, 2, 31, 64, 512, 1023, 1024, 1025, 4096) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 16_777_216 }) },
)
const halfWidth = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(1, 16, 32, 33, 128, 1024, 2048, 2049, 3584, 4096) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 100_000 }) },
)
const experts = fc.constantFrom(1, 8, 64, 256)

const arbitraryVector: fc.Arbitrary<VectorInput> = fc
  .record({
    chip: arbitraryChip,
    kernel: fc.constantFrom(...vectorKernels),
    tokens,
    halfWidth,
    experts,
    topK: fc.constantFrom(1, 2, 8),
    dtype: fc.constantFrom('fp16' as const, 'fp8' as const),
    data: fc.constantFrom('zeros' as const, 'random' as const),
    timing: fc.constantFrom('all-tiles' as const, 'first-tile' as const),
  })
  .map(({ chip, kernel, halfWidth, experts, topK, timing, ...common }) => {
    const width = 2 * halfWidth
    const shape = {
      'top-k': { width: experts, topK: Math.min(topK, experts) },
      dispatch: { experts, topK: Math.min(topK, experts) },
      combine: { width, topK },
    }
    const special = kernel in shape ? shape[kernel as keyof typeof shape] : { width }
    return makeVectorInput({ chip, timing, workload: { kernel, ...common, ...special } })
  })

/** Holds a claim against every random input that has a result. */
const forAll = (claim: (document: VectorDocument) => void) => {
  fc.assert(
    fc.property(arbitraryVector, input => {
      const outcome = makeVectorOutcome(input)
      if (typeof outcome !== 'string') claim(outcome)
    }),
    propertyRuns(500),
  )
}

/** Holds a claim against an input and the same with more of something, where both have a result. */
const forMore = (
  more: (workload: VectorInput['workload']) => Partial<VectorInput['workload']>,
  claim: (less: VectorDocument, more: VectorDocument) => void,
) => {
  forAll(less => {
    const workload = { ...less.input.workload, ...more(less.input.workload) }
    const outcome = makeVectorOutcome({ ...less.input, workload })
    if (typeof outcome !== 'string') claim(less, outcome)
  })
}

/** The timers by which `more` is faster than `less`. */
const fasterBy = (less: VectorDocument, more: VectorDocument): string[] =>
  (['cyclesFirstTile', 'cyclesAllTiles'] as const).filter(
    field => more.result[field] < less.result[field] * (1 - ROUNDING),
  )

function numbersIn(value: unknown, path: string): [string, number][] {
  if (typeof value === 'number') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => numbersIn(member, `${path}.${name}`))
}

describe('whatever the vector kernel', () => {
  test('random inputs are mostly feasible, and cover every kernel', () => {
    const documents = fc
      .sample(arbitraryVector, { numRuns: 500, seed: 1 })
      .map(input => makeVectorOutcome(input))
      .filter(outcome => typeof outcome !== 'string')
    expect(documents.length).toBeGreaterThan(400)
    expect([...new Set(documents.map(({ input }) => input.workload.kernel))].toSorted()).toEqual(
      [...vectorKernels].toSorted(),
    )
  })

  test('every number is finite and none is negative', () => {
    forAll(({ result, explanation }) => {
      const odd = [...numbersIn(result, 'result'), ...numbersIn(explanation, 'explanation')].filter(
        ([, value]) => !(Number.isFinite(value) && value >= 0),
      )
      expect(odd).toEqual([])
    })
  })

  test('all tiles take at least the bytes at the peak, and as long as tile 0', () => {
    forAll(({ input, result }) => {
      const { clock } = resolveChip(input.chip)
      const bytes = result.hbmReadBytes + result.hbmWriteBytes
      const least = (bytes / result.peakHbmBytesPerSecond) * clock
      expect(result.cyclesAllTiles).toBeGreaterThanOrEqual(least * (1 - ROUNDING))
      expect(result.cyclesAllTiles).toBeGreaterThanOrEqual(result.cyclesFirstTile * (1 - ROUNDING))
      expect(result.hbmBandwidthUtilization).toBeLessThanOrEqual(1)
      expect(result.vectorUtilization).toBeLessThanOrEqual(1)
    })
  })

  test('the runtime is that of the timer, and the parts of the breakdown add up to it', () => {
    forAll(({ input, result }) => {
      const timed = input.timing === 'first-tile' ? result.cyclesFirstTile : result.cyclesAllTiles
      expect(result.cycles).toBe(timed)
      const sum = result.breakdown.reduce((total, { seconds }) => total + seconds, 0)
      expect(Math.abs(sum - result.seconds)).toBeLessThanOrEqual(result.seconds * ROUNDING)
    })
  })

  test('more tokens never take less time', () => {
    fc.assert(
      fc.property(arbitraryVector, fc.integer({ min: 1, max: 3000 }), (input, added) => {
        const less = makeVectorOutcome(input)
        const workload = { ...input.workload, tokens: input.workload.tokens + added }
        const more = makeVectorOutcome({ ...input, workload })
        if (typeof less === 'string' || typeof more === 'string') return
        expect(fasterBy(less, more)).toEqual([])
      }),
      propertyRuns(1000),
    )
  })

  test('wider rows, or more experts of a token, never take less time', () => {
    forMore(
      ({ kernel, width }) =>
        width === undefined || kernel === 'top-k' ? {} : { width: width + 2 },
      (less, more) => {
        expect(fasterBy(less, more)).toEqual([])
      },
    )
    forMore(
      ({ kernel, topK, experts }) =>
        topK !== undefined && kernel !== 'top-k' && topK < (experts ?? 1024)
          ? { topK: topK + 1 }
          : {},
      (less, more) => {
        expect(fasterBy(less, more)).toEqual([])
      },
    )
  })

  test('random data never take less time than zeros, but for the lines that rope shares', () => {
    forMore(
      () => ({ data: 'random' }),
      (less, more) => {
        if (less.input.workload.kernel === 'rope') return
        expect(fasterBy(less, more)).toEqual([])
      },
    )
  })

  test('what does not fit in L1 is refused with the field and both sizes', () => {
    fc.assert(
      fc.property(arbitraryVector, input => {
        const outcome = makeVectorOutcome(input)
        expect(typeof outcome === 'string' ? outcome : 'workload.width: 1, but 1').toMatch(
          /^workload\.(width|topK): .*\d.*but .*\d/,
        )
      }),
      propertyRuns(500),
    )
  })
})
