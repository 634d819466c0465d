import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { ChipConfig } from '#shared/schema/chip.ts'
import type { TuneInput } from '#shared/schema/tune-input.ts'
import { InfeasibleError, finish } from '#shared/simulate/simulation.ts'
import { tuneAttention } from '#shared/simulate/tune-attention.ts'
import { arbitraryChip, arbitraryWorkload } from '#test/support/make-arbitrary-input.ts'
import { makeOutcome } from '#test/support/make-outcome.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'
import { makeTuneInput } from '#test/support/make-tune-input.ts'

const RUNS = propertyRuns(15)
const ROUNDING = 1e-9
// Each run is several searches.
vi.setConfig({ testTimeout: 120_000 })

/** Shapes that are searched in milliseconds; the rest is as random as elsewhere. */
const arbitrarySearch: fc.Arbitrary<TuneInput> = fc
  .record({
    chip: arbitraryChip,
    workload: arbitraryWorkload,
    x: fc.constantFrom(1, 3, 4),
    y: fc.constantFrom(1, 2, 4),
    engine: fc.constantFrom(16, 32),
    split: fc.constantFrom([1, 1], [6, 6], [8, 2], [4, 1]),
  })
  .map(({ chip, workload, x, y, engine, split: [heads = 1, kvHeads = 1] }) => {
    const matrixEngine = { ...chip.matrixEngine, height: engine, width: 16 }
    return makeTuneInput({
      chip: { ...chip, tiles: { x, y }, matrixEngine },
      workload: {
        ...workload,
        variant: heads === kvHeads ? 'mha' : 'gqa',
        heads,
        kvHeads,
        queryLength: Math.min(workload.queryLength, 200),
        kvLength: Math.min(workload.kvLength, 200),
        speculativeLength: Math.min(workload.speculativeLength, 3),
      },
      top: 1,
    })
  })

/** Infinite where nothing can run. */
function tunedCycles(input: TuneInput): number {
  try {
    return finish(tuneAttention(input)).result.best.cycles
  } catch (error) {
    if (!(error instanceof InfeasibleError)) throw error
    return Infinity
  }
}

const withChip = (input: TuneInput, change: (chip: ChipConfig) => Partial<ChipConfig>) => ({
  ...input,
  chip: { ...input.chip, ...change(input.chip) },
})

/** An input that a change of the chip makes slower; null where none was found. */
function slowedDown(change: (chip: ChipConfig) => Partial<ChipConfig>): unknown {
  const isNeverSlower = fc.property(
    arbitrarySearch,
    input => tunedCycles(withChip(input, change)) <= tunedCycles(input) * (1 + ROUNDING),
  )
  return fc.check(isNeverSlower, RUNS).counterexample
}

describe('the tuned mapping', () => {
  test('is never slower than the choice of the rule, for any dataflow', () => {
    fc.assert(
      fc.property(arbitrarySearch, input => {
        const tuned = tunedCycles(input)
        for (const dataflow of input.dataflows) {
          const { chip, workload, mapping } = input
          const outcome = makeOutcome({
            kind: 'attention',
            engine: 'phase',
            chip,
            workload,
            mapping,
            dataflow,
          })
          if (outcome.kind === 'refused') continue
          const { cycles } = outcome.document.result
          expect(tuned).toBeLessThanOrEqual(cycles)
          expect(tunedCycles({ ...input, dataflows: [dataflow] })).toBeLessThanOrEqual(cycles)
        }
      }),
      RUNS,
    )
  })

  test('of several dataflows is the best of their own', () => {
    fc.assert(
      fc.property(arbitrarySearch, input => {
        const own = input.dataflows.map(dataflow =>
          tunedCycles({ ...input, dataflows: [dataflow] }),
        )
        expect(tunedCycles(input)).toBe(Math.min(...own))
      }),
      RUNS,
    )
  })

  test.each([1.5, 2, 7])('is never slower with %d times the L1', factor => {
    const change = ({ l1 }: ChipConfig) => ({
      l1: { ...l1, capacityKiB: Math.floor(factor * l1.capacityKiB) },
    })
    expect(slowedDown(change)).toBeNull()
  })

  test('is never slower with faster HBM channels', () => {
    const change = ({ hbm }: ChipConfig) => ({
      hbm: { ...hbm, channelGBps: 1.3 * hbm.channelGBps },
    })
    expect(slowedDown(change)).toBeNull()
  })

  // On the edges that have some: the first channel of another edge moves an operand there.
  test('is never slower with more HBM channels', () => {
    const change = ({ hbm }: ChipConfig) => {
      const { west, north, east, south } = hbm.channels
      const channels = { west: 2 * west, north: 2 * north, east: 2 * east, south: 2 * south }
      return { hbm: { ...hbm, channels } }
    }
    expect(slowedDown(change)).toBeNull()
  })

  test('is never slower with wider links', () => {
    const change = ({ noc }: ChipConfig) => ({ noc: { ...noc, linkBits: 2 * noc.linkBits } })
    expect(slowedDown(change)).toBeNull()
  })

  test('is slower with a slower clock of the memory: the check sees a change', () => {
    const change = ({ hbm }: ChipConfig) => ({ hbm: { ...hbm, channelGBps: hbm.channelGBps / 2 } })
    expect(slowedDown(change)).not.toBeNull()
  })
})
