import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { GemmDocument, GemmInput } from '#shared/schema/gemm-input.ts'
import type { SummaGrid } from '#shared/mapping/summa-grid.ts'
import { peakFlops } from '#shared/hardware/chip.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { gemmCompulsoryBytes } from '#shared/workload/gemm.ts'
import { arbitraryChip } from '#test/support/make-arbitrary-input.ts'
import { makeGemmInput, makeGemmOutcome } from '#test/support/make-gemm-input.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

vi.setConfig({ testTimeout: 60_000 })
/** Room for rounding in comparisons of sums that are equal on paper. */
const ROUNDING = 1e-9

const side = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(1, 2, 63, 64, 100, 129, 512, 1000, 4096) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 16_777_216 }) },
)
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 5 })

const arbitraryGemm: fc.Arbitrary<GemmInput> = fc
  .record({
    chip: arbitraryChip,
    workload: fc.record({
      m: side,
      n: side,
      k: side,
      batch: fc.constantFrom(1, 1, 1, 2, 7, 128),
      dtype: fc.constantFrom('fp16' as const, 'fp8' as const),
    }),
    mapping: fc.oneof(
      { weight: 2, arbitrary: fc.constant({}) },
      {
        weight: 1,
        arbitrary: fc.record({
          tileM: maybe(fc.constantFrom(1, 16, 100, 128, 512)),
          tileN: maybe(fc.constantFrom(1, 16, 100, 128)),
          tileK: maybe(fc.constantFrom(1, 32, 128, 256)),
          groupX: maybe(fc.constantFrom(1, 2, 4, 32)),
          groupY: maybe(fc.constantFrom(1, 3, 4, 32)),
          groups: maybe(fc.constantFrom(1, 2, 3, 64)),
          split: maybe(fc.constantFrom<SummaGrid['split'][]>('none', 'k', 'n', 'batch')),
        }),
      },
    ),
  })
  .map(makeGemmInput)

/** Holds a claim against every random input that has a result. */
const forAll = (claim: (document: GemmDocument) => void) => {
  fc.assert(
    fc.property(arbitraryGemm, input => {
      const outcome = makeGemmOutcome(input)
      if (typeof outcome !== 'string') claim(outcome)
    }),
    propertyRuns(500),
  )
}

function numbersIn(value: unknown, path: string): [string, number][] {
  if (typeof value === 'number') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => numbersIn(member, `${path}.${name}`))
}

describe('whatever the GEMM', () => {
  test('random inputs are mostly feasible, and cover every split', () => {
    const outcomes = fc
      .sample(arbitraryGemm, { numRuns: 1000, seed: 1 })
      .map(input => makeGemmOutcome(input))
    const documents = outcomes.filter(outcome => typeof outcome !== 'string')
    expect(documents.length).toBeGreaterThan(600)
    expect(documents.length).toBeLessThan(1000)
    expect([...new Set(documents.map(({ result }) => result.mapping.split))].toSorted()).toEqual([
      'batch',
      'k',
      'n',
      'none',
    ])
  })

  test('a mapping that cannot be done is refused with the field and numbers', () => {
    fc.assert(
      fc.property(arbitraryGemm, input => {
        const outcome = makeGemmOutcome(input)
        expect(typeof outcome === 'string' ? outcome : 'mapping: 0').toMatch(/^mapping.*: .*\d/)
      }),
      propertyRuns(1000),
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

  test('the runtime is at least that of the roofline, and utilisations are at most 1', () => {
    forAll(({ input, result }) => {
      const chip = resolveChip(input.chip)
      const bytes = result.hbmReadBytes + result.hbmWriteBytes
      const least = Math.max(
        result.executedFlops / peakFlops(chip),
        bytes / result.peakHbmBytesPerSecond,
      )
      // What is executed on the tiles that work fits in the time, and so does what is useful.
      expect(result.seconds).toBeGreaterThanOrEqual(least * (1 - ROUNDING))
      expect(result.matrixUtilization).toBeLessThanOrEqual(1)
      expect(result.hbmBandwidthUtilization).toBeLessThanOrEqual(1)
    })
  })

  test('the parts of the breakdown add up to the runtime', () => {
    forAll(({ input, result }) => {
      const sum = result.breakdown.reduce((total, { seconds }) => total + seconds, 0)
      expect(Math.abs(sum - result.seconds)).toBeLessThanOrEqual(result.seconds * ROUNDING)
      const ofCycles = result.cycles / (input.chip.clockGHz * 1e9)
      expect(Math.abs(ofCycles - result.seconds)).toBeLessThanOrEqual(result.seconds * ROUNDING)
    })
  })

  test('traffic is at least the operands once, Z is written once, and no work is left out', () => {
    forAll(({ input, result }) => {
      const { m, n, batch, dtype } = input.workload
      const written = m * n * batch * (dtype === 'fp16' ? 2 : 1)
      expect(result.hbmWriteBytes).toBe(written)
      expect(result.hbmReadBytes + written).toBeGreaterThanOrEqual(
        gemmCompulsoryBytes(input.workload),
      )
      expect(result.executedFlops).toBeGreaterThanOrEqual(result.usefulFlops)
    })
  })

  test('the grid fits the mesh, and its buffers fit in L1', () => {
    forAll(({ input, result }) => {
      const { tiles, l1 } = input.chip
      const { groupX, groupY, groups } = result.mapping
      const available = Math.floor(tiles.x / groupX) * Math.floor(tiles.y / groupY)
      expect(groups).toBeLessThanOrEqual(available)
      expect(result.l1PeakBytes).toBeLessThanOrEqual(l1.capacityKiB * 1024)
    })
  })

  test('the automatic mapping is the fastest of the splits', () => {
    forAll(({ input, result }) => {
      if (Object.keys(input.mapping).length > 0) return
      const { split } = result.mapping
      const others = (['k', 'n', 'batch', 'none'] as const).filter(other => other !== split)
      for (const other of others) {
        const outcome = makeGemmOutcome({ ...input, mapping: { split: other } })
        if (typeof outcome === 'string') continue
        expect(result.cycles).toBeLessThanOrEqual(outcome.result.cycles * (1 + ROUNDING))
      }
    })
  })

  test('the same input gives the same document', () => {
    forAll(document => {
      expect(makeGemmOutcome(document.input)).toEqual(document)
    })
  })
})

describe('a larger GEMM', () => {
  // Multiples of a tile: rows that are not aligned touch more of HBM than longer ones that are.
  const cyclesOf = (workload: Partial<GemmInput['workload']>) => {
    const mapping = { tileM: 128, tileN: 128, tileK: 128, groupX: 32, groupY: 32 }
    const outcome = makeGemmOutcome(makeGemmInput({ workload, mapping }))
    if (typeof outcome === 'string') throw new Error(outcome)
    return outcome.result.cycles
  }

  test.each(['m', 'n', 'k', 'batch'] as const)('in %s never takes less time', field => {
    const times = [128, 256, 512, 4096, 4224, 9088].map(value => cyclesOf({ [field]: value }))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })
})
