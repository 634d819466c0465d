import { describe, expect, test } from 'vitest'
import { peakFlops } from '#shared/hardware/chip.ts'
import { dataflowsOf } from '#shared/mapping/dataflow.ts'
import { peakHbmBandwidth } from '#shared/models/memory/hbm.ts'
import type { PresetGroup } from '#shared/presets/preset.ts'
import {
  chipPresetGroups,
  chipPresets,
  workloadPresetGroups,
  workloadPresets,
} from '#shared/presets/presets.ts'
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
    const { variant, phase, batch, headDim, kvLength, speculativeLength, causal } = config
    const dimension = variant === 'mla' ? '' : `-d${String(headDim)}`
    const prefill = `-s${String(kvLength)}${batch === 2 ? '' : `-b${String(batch)}`}${causal ? '-causal' : ''}`
    const decode = `-kv${String(kvLength)}-sp${String(speculativeLength)}`
    expect(id).toBe(`${variant}-${phase}${dimension}${phase === 'prefill' ? prefill : decode}`)
    expect(config.dtype).toBe('fp16')
  })

  test.each(workloadPresets)('workload $id has the heads of the figures', ({ config }) => {
    const { variant, heads, kvHeads, batch, phase } = config
    const expected = { mha: [32, 32], gqa: [32, 2], mqa: [32, 1], mla: [128, 1] }[variant]
    expect([heads, kvHeads]).toEqual(expected)
    expect(phase === 'prefill' ? [2, 4, 32] : [128]).toContain(batch)
  })

  test('cover every shape of Figs. 8, 9 and 12', () => {
    const ids = new Set(workloadPresets.map(({ id }) => id))
    const lengths = [512, 1024, 2048, 4096]
    const prefill = [64, 128].flatMap(d =>
      lengths.flatMap(s => ['', '-b32'].map(b => `mha-prefill-d${String(d)}-s${String(s)}${b}`)),
    )
    const groupScale = lengths.map(s => `mha-prefill-d128-s${String(s)}-b4`)
    const decode = [1, 2, 4].flatMap(sp => [
      ...lengths.flatMap(kv =>
        ['mha', 'gqa'].map(variant => `${variant}-decode-d128-kv${String(kv)}-sp${String(sp)}`),
      ),
      ...[128, 256, ...lengths].map(kv => `mla-decode-kv${String(kv)}-sp${String(sp)}`),
    ])
    expect([...prefill, ...groupScale, ...decode].filter(id => !ids.has(id))).toEqual([])
  })

  test('are offered in groups, each once and in order', () => {
    const ofGroups = (groups: readonly PresetGroup<unknown>[]) =>
      groups.flatMap(({ presets }) => presets.map(({ id }) => id))
    expect(ofGroups(workloadPresetGroups)).toEqual(workloadPresets.map(({ id }) => id))
    expect(ofGroups(chipPresetGroups)).toEqual(chipPresets.map(({ id }) => id))
    const titles = [...workloadPresetGroups, ...chipPresetGroups].map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
  })

  test.each(chipPresets)('every workload runs with every dataflow on $id', ({ config: chip }) => {
    const refused = workloadPresets.flatMap(({ id, config: workload }) =>
      dataflowsOf(workload)
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
