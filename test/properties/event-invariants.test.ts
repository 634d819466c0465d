import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { canonicalJson } from '#shared/base/canonical-json.ts'
import { isFlash } from '#shared/mapping/dataflow.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { estimateAttention, simulateAttention } from '#shared/simulate/run-attention.ts'
import { moderateInput } from '#test/support/make-moderate-input.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

// Machines that build and test at the same time are slow.
vi.setConfig({ testTimeout: 120_000 })
const ROUNDING = 1e-9

/** Kernels of at most some column blocks: those are over in milliseconds. */
const shortInput = moderateInput.filter(
  ({ workload, dataflow }) =>
    workload.kvLength <= 512 && workload.queryLength <= (isFlash(dataflow) ? 256 : 512),
)

const simulated = (input: AttentionInput) => estimateAttention({ ...input, engine: 'event' })

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

function reportOf({ event }: AttentionDocument) {
  if (event === undefined) throw new Error('the event engine gave no report')
  return event
}

const forAll = (runs: number, claim: (input: AttentionInput) => void) => {
  fc.assert(fc.property(shortInput, claim), propertyRuns(runs))
}

/** Whether the mask leaves row blocks without a key: the event engine loads no Q for those. */
const hasEmptyRows = ({ workload, chip }: AttentionInput) =>
  workload.causal &&
  !chip.referenceArtefacts.causalMaskIgnored &&
  workload.queryLength > workload.kvLength

describe('whatever the kernel, the event engine', () => {
  test('moves exactly the bytes that the phase engine counts', () => {
    forAll(100, input => {
      const { result } = estimateAttention(input)
      const { channels, iterations, simulatedIterations } = reportOf(simulated(input))
      expect(simulatedIterations).toBe(iterations)
      expect(sum(channels.writtenBytes)).toBe(result.hbmWriteBytes)
      const unread = result.hbmReadBytes - sum(channels.readBytes)
      expect(unread).toBeGreaterThanOrEqual(0)
      expect(unread > 0 && !hasEmptyRows(input)).toBe(false)
    })
  })

  test('spends a runtime that its breakdown adds up to, and that no roofline undercuts', () => {
    forAll(100, input => {
      const { result } = simulated(input)
      const parts = result.breakdown.map(({ seconds }) => seconds)
      expect(Math.min(...parts)).toBeGreaterThanOrEqual(0)
      expect(sum(parts) / result.seconds).toBeCloseTo(1, 6)
      const compute = result.usefulFlops / result.peakFlopsPerSecond
      const memory = (result.hbmReadBytes + result.hbmWriteBytes) / result.peakHbmBytesPerSecond
      expect(result.seconds).toBeGreaterThanOrEqual(Math.max(compute, memory) * (1 - ROUNDING))
      expect(result.matrixUtilization).toBeLessThanOrEqual(1)
      expect(result.hbmBandwidthUtilization).toBeLessThanOrEqual(1)
    })
  })

  test('keeps no engine of a tile busy for longer than it runs', () => {
    forAll(60, input => {
      const { tiles, links, channels } = reportOf(simulated(input))
      const shares = [...tiles.matrix, ...tiles.vector, ...tiles.dma]
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(0)
      expect(Math.max(...shares)).toBeLessThanOrEqual(1)
      expect(sum(links.series) / Math.max(1, sum(links.bytes))).toBeLessThanOrEqual(1 + 1e-6)
      expect(sum(channels.readSeries)).toBeCloseTo(sum(channels.readBytes), -3)
    })
  })

  test('gives the same document twice', () => {
    forAll(25, input => {
      expect(canonicalJson(simulated(structuredClone(input)))).toBe(canonicalJson(simulated(input)))
    })
  })

  test('finds the same where one tile stands for others as where every tile is simulated', () => {
    const byRouters = shortInput.map((input): AttentionInput => ({
      ...input,
      dataflow: input.workload.heads % 2 === 0 ? 'flat-async' : 'flat-hc',
      engine: 'event',
    }))
    fc.assert(
      fc.property(byRouters, input => {
        const { x, y } = input.chip.tiles
        const all = Array.from({ length: x * y }, (_, tile) => tile)
        const watched = simulateAttention(input, { timelineTiles: all })
        let step = watched.next()
        while (step.done !== true) step = watched.next()
        const { document } = step.value
        const few = simulated(input)
        expect(few.result.cycles).toBeCloseTo(document.result.cycles, 6)
        expect(reportOf(few).tiles).toEqual(reportOf(document).tiles)
        expect(reportOf(few).channels).toEqual(reportOf(document).channels)
        expect(reportOf(few).events).toBeLessThanOrEqual(reportOf(document).events)
      }),
      propertyRuns(40),
    )
  })

  test('can be dropped after every 250 events', () => {
    forAll(20, input => {
      const simulation = simulateAttention({ ...input, engine: 'event' })
      const shares: number[] = []
      let step = simulation.next()
      while (step.done !== true) {
        if (step.value.phase === 'events') shares.push(step.value.done / step.value.total)
        step = simulation.next()
      }
      expect(shares).toEqual(shares.toSorted((one, other) => one - other))
      expect(Math.max(0, ...shares)).toBeLessThan(1)
      const { events } = reportOf(step.value.document)
      expect((shares.length + 1) * 250).toBeGreaterThanOrEqual(events)
    })
  })
})
