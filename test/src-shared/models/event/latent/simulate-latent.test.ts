import { describe, expect, test, vi } from 'vitest'
import { dataflowsOf, type Dataflow } from '#shared/mapping/dataflow.ts'
import { mapAttention } from '#shared/models/attention/attention-mapping.ts'
import { AttentionSimulation } from '#shared/models/event/attention/simulate-attention.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import type { MappingConfig } from '#shared/schema/mapping.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { resolveWorkload, type WorkloadConfig } from '#shared/schema/workload.ts'
import { estimateAttention, simulateAttention } from '#shared/simulate/run-attention.ts'
import { finish } from '#shared/simulate/simulation.ts'
import { meshOf } from '#shared/validation/published-input.ts'

vi.setConfig({ testTimeout: 60_000 })

const decode = { variant: 'mla', phase: 'decode' } as const

const input = (
  dataflow: Dataflow,
  changes: Partial<WorkloadConfig> = {},
  mapping: MappingConfig = {},
  engine: 'phase' | 'event' = 'event',
): AttentionInput => ({
  kind: 'attention',
  engine,
  chip: meshOf(4, 4),
  dataflow,
  mapping,
  workload: {
    schemaVersion: SCHEMA_VERSION,
    name: 'latent',
    ...decode,
    batch: 6,
    heads: 128,
    kvHeads: 1,
    headDim: 128,
    queryLength: 1,
    kvLength: 1024,
    speculativeLength: 2,
    causal: false,
    dtype: 'fp8',
    ...changes,
  },
})

const sum = (series: readonly number[] = []) => series.reduce((total, value) => total + value, 0)

describe('the event engine on absorbed MLA', () => {
  test.each(dataflowsOf(decode))('%s moves the bytes that the phase engine counts', dataflow => {
    for (const workload of [{}, { kvLength: 1000, batch: 5 }]) {
      const { result, event } = estimateAttention(input(dataflow, workload))
      expect(sum(event?.channels.readBytes)).toBeCloseTo(result.hbmReadBytes, 3)
      expect(sum(event?.channels.writtenBytes)).toBeCloseTo(result.hbmWriteBytes, 3)
    }
  })

  test.each(dataflowsOf(decode))('%s has a breakdown that adds up, over the roofline', dataflow => {
    const { result } = estimateAttention(input(dataflow))
    expect(sum(result.breakdown.map(part => part.seconds))).toBeCloseTo(result.seconds, 12)
    expect(result.matrixUtilization).toBeLessThanOrEqual(1)
    expect(result.hbmBandwidthUtilization).toBeLessThanOrEqual(1)
    expect(result.matrixUtilization).toBeGreaterThan(0)
  })

  test.each(dataflowsOf(decode))('%s is within 15 % of the phase engine', dataflow => {
    const mapping = dataflow.startsWith('flat') ? { groupX: 4, groupY: 2 } : {}
    const workload = { kvLength: 512, batch: 4 }
    const event = estimateAttention(input(dataflow, workload, mapping)).result.cycles
    const phase = estimateAttention(input(dataflow, workload, mapping, 'phase')).result.cycles
    expect(Math.abs(event / phase - 1)).toBeLessThan(0.15)
  })

  test('FlatMLA rescales O where KV takes several column blocks, and hides it', () => {
    const cycles = (kvLength: number) =>
      estimateAttention(input('flat-async', { kvLength, batch: 4 }, { groupX: 4, groupY: 2 }))
        .result.cycles
    const [one, four] = [cycles(512), cycles(2048)]
    expect(four / one).toBeGreaterThan(3.8)
    expect(four / one).toBeLessThan(4.1)
  })

  test.each(['flat-hc', 'flat-async', 'flash-mla', 'flash-mla-fair'] as const)(
    '%s: what is extrapolated is what a complete simulation takes',
    dataflow => {
      const mapping = dataflow.startsWith('flash') ? {} : { groupX: 4, groupY: 2 }
      const { chip: config, workload } = input(dataflow, { batch: 64, kvLength: 512 })
      const chip = resolveChip(config)
      const outcome = mapAttention(dataflow, resolveWorkload(workload), mapping, chip)
      if (outcome.kind === 'problem') throw new Error(outcome.message)
      const cycles = (mostIterations: number) => {
        const watch = { timelineTiles: [], mostIterations }
        const run = new AttentionSimulation(dataflow, outcome.shape, chip, 'diagonal', watch)
        while (run.run(10_000)) expect(run.progress).toBeLessThanOrEqual(1)
        return run
      }
      const [part, whole] = [cycles(12), cycles(Infinity)]
      expect(part.simulatedIterations).toBeLessThan(whole.simulatedIterations)
      expect(Math.abs(part.cycles / whole.cycles - 1)).toBeLessThan(0.03)
    },
  )

  test('a timeline has the operations of a pair: ten of scores, eight of output', () => {
    const kernel = input('flat-async', { batch: 4, kvLength: 512 }, { groupX: 4, groupY: 2 })
    const { timeline } = finish(simulateAttention(kernel, { timelineTiles: [0] }))
    const named = (name: string) => timeline.filter(operation => operation.name === name)
    expect(named('Q · Kᵀ of a chunk')).toHaveLength(10)
    expect(named('P · V of a chunk')).toHaveLength(8)
    expect(named('normalisation of the scores')).toHaveLength(2)
    expect(named('rescaling of a chunk of O')).toHaveLength(0)
  })

  test('the fair FlashMLA keeps all tiles busy where the other does not', () => {
    const busy = (dataflow: Dataflow) =>
      estimateAttention(input(dataflow, { batch: 2 })).event?.tiles.matrix.filter(
        share => share > 0,
      ).length
    expect(busy('flash-mla')).toBe(2)
    expect(busy('flash-mla-fair')).toBe(16)
  })
})

describe('the event engine on prefill of MLA', () => {
  const prefill = { ...decode, phase: 'prefill', heads: 4, kvHeads: 4, batch: 2 } as const
  test.each(dataflowsOf(prefill))('%s moves the bytes that the phase engine counts', dataflow => {
    const workload = { ...prefill, queryLength: 512, speculativeLength: 1, kvLength: 512 }
    const { result, event } = estimateAttention(input(dataflow, workload))
    expect(sum(event?.channels.readBytes)).toBeCloseTo(result.hbmReadBytes, 3)
    expect(sum(event?.channels.writtenBytes)).toBeCloseTo(result.hbmWriteBytes, 3)
  })
})
