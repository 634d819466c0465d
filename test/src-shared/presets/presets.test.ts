import { describe, expect, test } from 'vitest'
import { peakFlops } from '#shared/hardware/chip.ts'
import { dataflows } from '#shared/mapping/dataflow.ts'
import { peakHbmBandwidth } from '#shared/models/memory/hbm.ts'
import { chipPresets, workloadPresets } from '#shared/presets/presets.ts'
import { chipSchema, resolveChip } from '#shared/schema/chip.ts'
import { workloadSchema } from '#shared/schema/workload.ts'
import { makeAttentionInput } from '#test/support/make-attention-input.ts'
import { makeOutcome } from '#test/support/make-outcome.ts'

describe('presets', () => {
  test('have an id each', () => {
    const ids = [...chipPresets, ...workloadPresets].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each(chipPresets)('chip $id is valid and resolves', ({ config }) => {
    expect(chipSchema.parse(config)).toEqual(config)
    expect(resolveChip(config).clock).toBe(config.clockGHz * 1e9)
  })

  test.each(workloadPresets)('workload $id is valid', ({ config }) => {
    expect(workloadSchema.parse(config)).toEqual(config)
  })

  test.each(workloadPresets)('workload $id says its shape in its name', ({ id, config }) => {
    const causal = config.causal ? '-causal' : ''
    const batch = config.batch === 2 ? '' : `-b${String(config.batch)}`
    const shape = `d${String(config.headDim)}-s${String(config.kvLength)}`
    expect(id).toBe(`${config.variant}-${config.phase}-${shape}${batch}${causal}`)
    expect(config).toMatchObject({ heads: 32, kvHeads: 32, dtype: 'fp16' })
  })

  test.each(chipPresets)('every workload runs with every dataflow on $id', ({ config: chip }) => {
    const refused = workloadPresets.flatMap(({ id, config: workload }) =>
      dataflows
        .map(dataflow => ({
          id,
          dataflow,
          outcome: makeOutcome(makeAttentionInput({ chip, workload, dataflow })),
        }))
        .filter(({ outcome }) => outcome.kind === 'refused'),
    )
    expect(refused).toEqual([])
  })
})

describe('chips of the papers', () => {
  const chipOf = (id: string) => {
    const found = chipPresets.find(preset => preset.id === id)
    if (found === undefined) throw new Error(`no chip preset ${id}`)
    return resolveChip(found.config)
  }

  test.each([
    ['flat-2025', 1048.6, 2.048],
    ['flat-2026', 1011.9, 2.048],
    ['flat-2026-4tb', 1011.9, 4.096],
    ['flat-2026-fp8', 2023.8, 4.096],
  ])('%s peaks at %d TFLOPS and %d TB/s', (id, teraflops, terabytes) => {
    expect(peakFlops(chipOf(id)) / 1e12).toBeCloseTo(teraflops, 1)
    expect(peakHbmBandwidth(chipOf(id)) / 1e12).toBeCloseTo(terabytes, 3)
  })

  test.each(['granularity-16x16', 'granularity-8x8'])(
    '%s has the peak and the L1 of 32 × 32 tiles in fewer of them',
    id => {
      const reference = chipOf('flat-2025')
      const coarse = chipOf(id)
      const l1 = ({ tiles, l1: { capacity } }: typeof coarse) => tiles.x * tiles.y * capacity
      expect(peakFlops(coarse)).toBe(peakFlops(reference))
      expect(l1(coarse)).toBe(l1(reference))
    },
  )
})
