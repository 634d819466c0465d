import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import { attentionInputSchema } from '#shared/schema/attention-input.ts'
import { compulsoryBytes } from '#shared/workload/attention.ts'
import { canonicalJson } from '#shared/base/canonical-json.ts'
import { arbitraryInput } from '#test/support/make-arbitrary-input.ts'
import { makeOutcome } from '#test/support/make-outcome.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const RUNS = propertyRuns(500)
// Machines that build and test at the same time are slow.
vi.setConfig({ testTimeout: 60_000 })
/** Room for rounding in comparisons of sums that are equal on paper. */
const ROUNDING = 1e-9

/** Holds a claim against every random input that has a result. */
const forAll = (claim: (document: AttentionDocument) => void) => {
  fc.assert(
    fc.property(arbitraryInput, input => {
      const outcome = makeOutcome(input)
      if (outcome.kind === 'document') claim(outcome.document)
    }),
    RUNS,
  )
}

/** All numbers in a value, however deep, with their paths. */
function numbersIn(value: unknown, path: string): [string, number][] {
  if (typeof value === 'number') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => numbersIn(member, `${path}.${name}`))
}

describe('random inputs', () => {
  test('are valid, mostly feasible, and cover every dataflow, variant and data type', () => {
    const inputs = fc.sample(arbitraryInput, { numRuns: 2000, seed: 1 })
    const outcomes = inputs.map(makeOutcome)
    const feasible = inputs.filter((_, index) => outcomes[index]?.kind === 'document')
    expect(inputs.every(input => attentionInputSchema.safeParse(input).success)).toBe(true)
    expect(feasible.length).toBeGreaterThan(inputs.length / 2)
    expect(feasible.length).toBeLessThan(inputs.length)
    const kinds = new Set(
      feasible.flatMap(({ dataflow, workload, chip }) => [
        dataflow,
        workload.variant,
        workload.dtype,
        workload.phase,
        workload.causal ? 'causal' : 'full',
        workload.kvLength === 0 ? 'no keys' : 'keys',
        chip.tiles.x * chip.tiles.y === 1 ? 'one tile' : 'tiles',
        chip.hbm.channels.west > 0 && chip.hbm.channels.south > 0 ? 'two edges' : 'other edges',
      ]),
    )
    expect(kinds.size).toBe(8 + 4 + 2 + 2 + 2 + 2 + 2 + 2)
  })
})

describe('whatever the input', () => {
  test('a mapping that cannot be done is refused with numbers, and nothing else is thrown', () => {
    fc.assert(
      fc.property(arbitraryInput, input => {
        const outcome = makeOutcome(input)
        const text = outcome.kind === 'refused' ? outcome.message : '0'
        expect(text).toMatch(/\d/)
      }),
      propertyRuns(500),
    )
  })

  test('every number of the document is finite, and none of the result negative', () => {
    forAll(({ result, explanation }) => {
      const numbers = numbersIn(explanation, 'explanation')
      expect(numbers.filter(([, value]) => !Number.isFinite(value))).toEqual([])
      const wrong = numbersIn(result, 'result').filter(
        ([, value]) => !Number.isFinite(value) || value < 0,
      )
      expect(wrong).toEqual([])
    })
  })

  test('utilisations are at most 1', () => {
    forAll(({ result }) => {
      expect(result.matrixUtilization).toBeLessThanOrEqual(1)
      expect(result.matrixActiveUtilization).toBeLessThanOrEqual(1)
      expect(result.hbmBandwidthUtilization).toBeLessThanOrEqual(1)
    })
  })

  test('the runtime is at least that of the executed FLOPs at the peak', () => {
    forAll(({ result }) => {
      const least = result.executedFlops / result.peakFlopsPerSecond
      expect(result.seconds).toBeGreaterThanOrEqual(least * (1 - ROUNDING))
    })
  })

  test('the runtime is at least that of the HBM traffic at the peak', () => {
    forAll(({ result }) => {
      const least = (result.hbmReadBytes + result.hbmWriteBytes) / result.peakHbmBytesPerSecond
      expect(result.seconds).toBeGreaterThanOrEqual(least * (1 - ROUNDING))
    })
  })

  test('the runtime is at least that of the HBM traffic over all links at the edges', () => {
    forAll(({ input: { chip }, result }) => {
      const { west, north, east, south } = chip.hbm.channels
      const lines =
        chip.tiles.y * (Math.sign(west) + Math.sign(east)) +
        chip.tiles.x * (Math.sign(north) + Math.sign(south))
      // FlashAttention takes the lines of a second axis to be as many as those of the first.
      const most = Math.max(lines, 4 * chip.tiles.x)
      const least = (result.hbmReadBytes + result.hbmWriteBytes) / (most * (chip.noc.linkBits / 8))
      expect(result.cycles).toBeGreaterThanOrEqual(least * (1 - ROUNDING))
    })
  })

  test('the breakdown adds up to the runtime', () => {
    forAll(({ result }) => {
      const sum = result.breakdown.reduce((total, { seconds }) => total + seconds, 0)
      expect(Math.abs(sum - result.seconds)).toBeLessThanOrEqual(ROUNDING * result.seconds)
    })
  })

  test('Q, K, V and O are moved at least once; without keys only O', () => {
    forAll(({ input: { workload }, result }) => {
      const traffic = result.hbmReadBytes + result.hbmWriteBytes
      const least = workload.kvLength > 0 ? compulsoryBytes(workload) : result.hbmWriteBytes
      expect(result.hbmWriteBytes).toBeGreaterThan(0)
      expect(traffic).toBeGreaterThanOrEqual(least * (1 - ROUNDING))
    })
  })

  test('at least the useful FLOPs are executed', () => {
    forAll(({ result }) => {
      expect(result.executedFlops).toBeGreaterThanOrEqual(result.usefulFlops * (1 - ROUNDING))
    })
  })

  test('the slices of a mapping fit in L1', () => {
    forAll(({ input: { chip }, result }) => {
      expect(result.l1PeakBytes).toBeLessThanOrEqual(chip.l1.capacityKiB * 1024)
    })
  })

  test('a group fits on the mesh, and its block is its slices', () => {
    forAll(({ input: { chip }, result: { mapping } }) => {
      expect(mapping.groupX).toBeLessThanOrEqual(chip.tiles.x)
      expect(mapping.groupY).toBeLessThanOrEqual(chip.tiles.y)
      expect(mapping.blockRows).toBe(mapping.groupY * mapping.sliceRows)
      expect(mapping.blockCols).toBe(mapping.groupX * mapping.sliceCols)
    })
  })

  test('every explanation has the value of the field that it explains', () => {
    forAll(({ result, explanation }) => {
      const fields: Readonly<Record<string, unknown>> = {
        ...result,
        ...Object.fromEntries(
          Object.entries(result.mapping).map(([field, value]) => [`mapping.${field}`, value]),
        ),
        ...Object.fromEntries(
          result.breakdown.map(({ component, seconds }) => [`breakdown.${component}`, seconds]),
        ),
      }
      const numbers = explanation.filter(({ field }) => field !== 'bound')
      expect(numbers.map(({ value }) => value)).toEqual(numbers.map(({ field }) => fields[field]))
    })
  })

  test('what binds a kernel takes at least as much of its runtime as anything else', () => {
    forAll(({ explanation }) => {
      const bound = explanation.find(({ field }) => field === 'bound')
      const shares = bound?.terms.map(({ value }) => value) ?? []
      expect(shares).toHaveLength(4)
      expect(bound?.value).toBe(Math.max(...shares))
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9)
    })
  })

  test('the same input gives the same document', () => {
    fc.assert(
      fc.property(arbitraryInput, input => {
        const again = structuredClone(input)
        expect(canonicalJson(makeOutcome(again))).toBe(canonicalJson(makeOutcome(input)))
      }),
      propertyRuns(200),
    )
  })
})
