import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { isFlash } from '#shared/mapping/dataflow.ts'
import { HBM_OPEN_ROW_SAVING_SECONDS } from '#shared/models/constants.ts'
import { preferredSlice } from '#shared/models/attention/preferred-slice.ts'
import { sliceOperations } from '#shared/models/attention/slice-operations.ts'
import { matrixContext } from '#shared/models/attention/tile-costs.ts'
import {
  idealMatrixOperation,
  matrixOperation,
  type MatrixShape,
} from '#shared/models/engines/matrix-engine.ts'
import { hasTwoAxes } from '#shared/models/memory/hbm.ts'
import type { AttentionResult } from '#shared/results/attention-result.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { resolveChip, type ChipConfig } from '#shared/schema/chip.ts'
import { resolveWorkload, type WorkloadConfig } from '#shared/schema/workload.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import {
  headJobs,
  isAbsorbed,
  queryPositions,
  type AttentionWorkload,
} from '#shared/workload/attention.ts'
import { arbitraryInput } from '#test/support/make-arbitrary-input.ts'
import { makeChipConfig } from '#test/support/make-chip.ts'
import { makeOutcome } from '#test/support/make-outcome.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const RUNS = propertyRuns(300)
// Machines that build and test at the same time are slow.
vi.setConfig({ testTimeout: 60_000 })
const ROUNDING = 1e-9

/**
 * Holds a claim against random kernels whose mapping is fixed to what it is for that input: a
 * parameter of the chip or a length may change the automatic mapping, and then another kernel
 * would be compared.
 */
const forAllFixed = (claim: (input: AttentionInput, result: AttentionResult) => void) => {
  fc.assert(
    fc.property(arbitraryInput, input => {
      const outcome = makeOutcome(input)
      if (outcome.kind === 'refused') return
      const { groupX, groupY, sliceRows, sliceCols } = outcome.document.result.mapping
      const fixed = { ...input, mapping: { groupX, groupY, sliceRows, sliceCols } }
      claim(fixed, estimateAttention(fixed).result)
    }),
    RUNS,
  )
}

const resultOf = (input: AttentionInput) => estimateAttention(input).result
const withHbm = (input: AttentionInput, hbm: Partial<ChipConfig['hbm']>): AttentionInput => ({
  ...input,
  chip: { ...input.chip, hbm: { ...input.chip.hbm, ...hbm } },
})
const withWorkload = (
  input: AttentionInput,
  workload: Partial<WorkloadConfig>,
): AttentionInput => ({ ...input, workload: { ...input.workload, ...workload } })
const withMoreL1 = (input: AttentionInput): AttentionInput => ({
  ...input,
  chip: {
    ...input.chip,
    l1: { ...input.chip.l1, capacityKiB: 2 * input.chip.l1.capacityKiB },
  },
})
/** Whether a causal mask leaves queries without any key: those before the first key. */
const hasBlindRows = (workload: AttentionWorkload): boolean =>
  workload.causal && queryPositions(workload) > workload.kvLength
const traffic = (result: AttentionResult) => result.hbmReadBytes + result.hbmWriteBytes
/** A bound with room for the rounding of sums that are equal on paper. */
const rounded = (bound: number) => bound * (1 + ROUNDING)

describe('with the mapping fixed', () => {
  // Only on edges that have channels: the first channel of another edge moves an operand there.
  // With more channels each line lies elsewhere, and a row of memory may be closed that was open: for
  // each load of a tile at most what an open row saves.
  test('more HBM channels are never slower, but for rows that another interleaving closes', () => {
    forAllFixed((input, { cycles, mapping }) => {
      const jobs = Math.ceil(headJobs(resolveWorkload(input.workload)) / mapping.groups)
      const loads = jobs * mapping.outerIterations * (2 * mapping.innerIterations + 2)
      const rows = loads * HBM_OPEN_ROW_SAVING_SECONDS * input.chip.clockGHz * 1e9
      for (const more of [(count: number) => count + 1, (count: number) => 2 * count]) {
        const { west, north, east, south } = input.chip.hbm.channels
        const add = (count: number) => (count > 0 ? more(count) : 0)
        const channels = {
          west: add(west),
          north: add(north),
          east: add(east),
          south: add(south),
        }
        expect(resultOf(withHbm(input, { channels })).cycles).toBeLessThanOrEqual(
          rounded(cycles + rows),
        )
      }
    })
  })

  test('a higher channel rate is never slower', () => {
    forAllFixed((input, { cycles }) => {
      const channelGBps = 1.3 * input.chip.hbm.channelGBps
      expect(resultOf(withHbm(input, { channelGBps })).cycles).toBeLessThanOrEqual(rounded(cycles))
    })
  })

  test('wider links are never slower', () => {
    forAllFixed((input, { cycles }) => {
      const noc = { ...input.chip.noc, linkBits: 2 * input.chip.noc.linkBits }
      expect(resultOf({ ...input, chip: { ...input.chip, noc } }).cycles).toBeLessThanOrEqual(
        rounded(cycles),
      )
    })
  })

  test('more L1 makes no difference', () => {
    forAllFixed((input, { cycles }) => {
      expect(resultOf(withMoreL1(input)).cycles).toBe(cycles)
    })
  })

  // Where Q and K lie on different edges with very different bandwidth, groups that wait for Q can
  // drift apart in the loads of K, so the claim is for channels on one axis. Without keys nothing
  // hides the clearing of O, so it begins with one key. A key that begins a new block takes next to
  // no time of HBM, but lets the groups drift apart a little more, and FlashAttention-3 hides the V
  // of the block before under it: hence the margin.
  test('longer KV is never cheaper', () => {
    forAllFixed((input, { cycles }) => {
      const { kvLength } = input.workload
      if (kvLength === 0 || hasTwoAxes(resolveChip(input.chip))) return
      for (const longer of [kvLength + 1, 2 * kvLength, 16 * kvLength]) {
        // A second column block may need more L1 for the running maximum than there is.
        const outcome = makeOutcome(withWorkload(input, { kvLength: longer }))
        if (outcome.kind === 'refused') continue
        expect(cycles).toBeLessThanOrEqual(outcome.document.result.cycles * 1.03)
      }
    })
  })

  test('longer KV never takes less traffic', () => {
    forAllFixed((input, result) => {
      const outcome = makeOutcome(withWorkload(input, { kvLength: input.workload.kvLength + 1 }))
      if (outcome.kind === 'refused') return
      const longer = outcome.document.result
      expect(traffic(result)).toBeLessThanOrEqual(rounded(traffic(longer)))
      expect(result.nocBytes).toBeLessThanOrEqual(rounded(longer.nocBytes))
    })
  })

  // FlashAttention shares the row blocks of a job out anew, and FlatAsync finds a partner for a head
  // that was alone, so the claim is for one head at a time.
  test('a larger batch is never cheaper', () => {
    forAllFixed((input, { cycles }) => {
      if (isFlash(input.dataflow) || input.dataflow === 'flat-async') return
      const larger = resultOf(withWorkload(input, { batch: 2 * input.workload.batch }))
      expect(cycles).toBeLessThanOrEqual(rounded(larger.cycles))
    })
  })

  // Doubled, so that each block holds two of the blocks before: under a causal mask a block that
  // straddles them otherwise may read more. Absorbed MLA reads Q for each column block, and under a
  // mask a larger block needs those of its last row for all of its rows. A block whose rows all see
  // no key loads nothing; in a larger one they may stand beside rows that do.
  test('a group with more rows never moves more HBM bytes', () => {
    forAllFixed((input, result) => {
      const groupY = 2 * (input.mapping.groupY ?? 1)
      if (isFlash(input.dataflow) || groupY > input.chip.tiles.y) return
      if (isAbsorbed(input.workload) && input.workload.causal) return
      if (hasBlindRows(resolveWorkload(input.workload))) return
      const larger = resultOf({ ...input, mapping: { ...input.mapping, groupY } })
      expect(traffic(larger)).toBeLessThanOrEqual(rounded(traffic(result)))
    })
  })

  test('a group with more columns moves the same HBM bytes without a mask', () => {
    forAllFixed((input, result) => {
      const groupX = 2 * (input.mapping.groupX ?? 1)
      const isMasked = input.workload.causal
      if (isFlash(input.dataflow) || isMasked || groupX > input.chip.tiles.x) return
      // Fewer column blocks read Q less often.
      if (isAbsorbed(input.workload)) return
      expect(traffic(resultOf({ ...input, mapping: { ...input.mapping, groupX } }))).toBe(
        traffic(result),
      )
    })
  })

  // With fixed costs and links as they were measured: a chip may be given hardware collectives that
  // take longer to start than a program, or links so narrow that storing a burst takes longest.
  test('hardware collectives are never slower than those in software', () => {
    forAllFixed(input => {
      if (isFlash(input.dataflow)) return
      const { control, noc } = makeChipConfig()
      const measured = { ...input, chip: { ...input.chip, control, noc } }
      const cycles = (dataflow: AttentionInput['dataflow']) =>
        resultOf({ ...measured, dataflow }).cycles
      expect(cycles('flat-hc')).toBeLessThanOrEqual(rounded(cycles('flat-tc')))
      expect(cycles('flat-hc')).toBeLessThanOrEqual(rounded(cycles('flat-sc')))
    })
  })
})

describe('with the automatic mapping', () => {
  // The runtime itself may rise: a larger slice keeps the engine busier but makes fewer groups, and
  // with few heads some tiles have nothing to do. The rule looks at the engine alone.
  test('more L1 never leads to a slice on which the matrix engine is less busy', () => {
    fc.assert(
      fc.property(arbitraryInput, input => {
        const used = (candidate: AttentionInput): number => {
          const chip = resolveChip(candidate.chip)
          const workload = resolveWorkload(candidate.workload)
          const slice = preferredSlice(workload, candidate.dataflow, chip)
          // Below the height of the array the rule only halves until something fits.
          if (slice < chip.matrixEngine.height) return 0
          const { scores, output } = sliceOperations(
            { sliceRows: slice, sliceCols: slice },
            workload,
          )
          const context = matrixContext(chip, workload.dtype)
          const sum = (cycles: (operation: MatrixShape) => number) =>
            [...scores, ...output].reduce((total, operation) => total + cycles(operation), 0)
          const busy = sum(operation => matrixOperation(operation, context))
          const ideal = sum(operation => idealMatrixOperation(operation, chip.matrixEngine))
          return Math.min(0.95, ideal / busy)
        }
        expect(used(input)).toBeLessThanOrEqual(rounded(used(withMoreL1(input))))
      }),
      RUNS,
    )
  })

  test('more L1 never makes a feasible kernel infeasible', () => {
    fc.assert(
      fc.property(arbitraryInput, input => {
        const isFeasible = makeOutcome(input).kind === 'document'
        expect(makeOutcome(withMoreL1(input)).kind === 'document' || !isFeasible).toBe(true)
      }),
      RUNS,
    )
  })
})
