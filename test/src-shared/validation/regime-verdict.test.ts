import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chipPresets, workloadPresets } from '#shared/presets/presets.ts'
import { dataflowsOf } from '#shared/mapping/dataflow.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { resolveWorkload } from '#shared/schema/workload.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
import { meshOf, presetChip, publishedInput } from '#shared/validation/published-input.ts'
import { regimeVerdict } from '#shared/validation/regime-verdict.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const severity = { inside: 0, near: 1, outside: 2 } as const

const square = (length: number, changes: Partial<AttentionInput['workload']> = {}) => {
  const input = publishedInput({
    ...{ chip: presetChip('flat-2025'), dataflow: 'flat-async', batch: 2, heads: 32 },
    ...{ headDim: 128, queryLength: length, kvLength: length },
  })
  return { ...input, workload: { ...input.workload, ...changes } }
}

describe('what was published', () => {
  test.each([
    [512, 'fig9-group-scale-2025'],
    [4096, 'fig8-dataflows-2025'],
  ])('S %d on the chip of the paper is inside', (length, nearestSet) => {
    expect(regimeVerdict(square(length))).toEqual({ kind: 'inside', nearestSet, differences: [] })
  })

  test('a recorded run on another mesh is inside, of its own set', () => {
    const run = publishedInput({
      ...{ chip: meshOf(8, 4), dataflow: 'fa2', batch: 1, heads: 64 },
      ...{ headDim: 128, queryLength: 128, kvLength: 1024 },
    })
    expect(regimeVerdict(run)).toMatchObject({ kind: 'inside', nearestSet: 'attention-runs-2026' })
  })
})

describe('what is apart', () => {
  test.each([
    ['twice as long', square(8192), 'inside'],
    ['four times as long', square(16_384), 'near'],
    ['sixteen times as long', square(65_536), 'outside'],
    ['another head dimension', square(4096, { headDim: 96 }), 'near'],
    ['a causal mask', square(4096, { causal: true }), 'near'],
    ['mask and data type', square(4096, { causal: true, dtype: 'fp8' }), 'outside'],
    ['MQA', square(4096, { variant: 'mqa', kvHeads: 1 }), 'outside'],
  ] as const)('%s', (_, input, kind) => {
    expect(regimeVerdict(input).kind).toBe(kind)
  })

  test('is named', () => {
    const { differences } = regimeVerdict(square(16_384, { causal: true }))
    expect(differences).toEqual([
      'a causal mask',
      'KV length: 16,384, compared at 4,096',
      'query rows: 16,384, compared at 4,096',
    ])
  })
})

describe('properties', () => {
  test('going farther beyond the longest compared length never makes it better', () => {
    const length = fc.integer({ min: 4096, max: 65_536 })
    fc.assert(
      fc.property(length, length, (a, b) => {
        const [near, far] = [Math.min(a, b), Math.max(a, b)].map(one => regimeVerdict(square(one)))
        expect(severity[far?.kind ?? 'inside']).toBeGreaterThanOrEqual(
          severity[near?.kind ?? 'outside'],
        )
      }),
      propertyRuns(100),
    )
  })

  test('names, batch and heads do not count', () => {
    const count = fc.integer({ min: 1, max: 512 })
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), count, count, (name, batch, heads) => {
        const input = square(2048, { name, batch, heads, kvHeads: heads })
        expect(regimeVerdict({ ...input, chip: { ...input.chip, name } })).toEqual(
          regimeVerdict(square(2048)),
        )
      }),
      propertyRuns(50),
    )
  })

  test('no kernel that the model itself calls unmeasured is inside', () => {
    const wrong: string[] = []
    for (const { config: workload } of workloadPresets.filter((_, index) => index % 4 === 0)) {
      for (const dataflow of dataflowsOf(resolveWorkload(workload))) {
        for (const { config: chip } of chipPresets) {
          const input = { ...square(512), chip, workload, dataflow }
          if (regimeVerdict(input).kind !== 'inside') continue
          if (isCalledUnmeasured(input)) wrong.push(`${workload.name}, ${dataflow}, ${chip.name}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })
})

function isCalledUnmeasured(input: AttentionInput): boolean {
  try {
    const { warnings } = estimateAttention(input)
    return warnings.some(({ code }) => code === 'outside-validated-regime')
  } catch (error) {
    if (error instanceof InfeasibleError) return false
    throw error
  }
}
