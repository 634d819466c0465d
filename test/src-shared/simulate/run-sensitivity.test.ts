import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chipPresets } from '#shared/presets/presets.ts'
import type { SensitivityStep } from '#shared/results/sensitivity-result.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { chipSchema, type ChipConfig } from '#shared/schema/chip.ts'
import { withValueAt } from '#shared/schema/form-fields.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { runSensitivity } from '#shared/simulate/run-sensitivity.ts'
import { finish } from '#shared/simulate/simulation.ts'
import { presetChip, publishedInput } from '#shared/validation/published-input.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const kernel = (changes: Partial<AttentionInput> = {}): AttentionInput => ({
  ...publishedInput({
    ...{ chip: presetChip('flat-2026'), dataflow: 'flat-async', batch: 2, heads: 32 },
    ...{ headDim: 128, queryLength: 4096, kvLength: 4096 },
  }),
  ...changes,
})

const sensitivityOf = (input: AttentionInput) => finish(runSensitivity(input)).result
const stepOf = (input: AttentionInput, id: string, side: 'more' | 'less'): SensitivityStep => {
  const found = sensitivityOf(input).parameters.find(parameter => parameter.id === id)
  if (found === undefined) throw new Error(`no parameter ${id}`)
  return found[side]
}
const changed = (input: AttentionInput, step: SensitivityStep): AttentionInput =>
  step.kind === 'none'
    ? input
    : {
        ...input,
        chip: step.changes.reduce<Readonly<Record<string, unknown>>>(
          (chip, { path, value }) => withValueAt(chip, path.split('.').slice(1), value),
          input.chip,
        ) as ChipConfig,
      }

describe('a step', () => {
  test('is a valid chip whose runtime is that of an estimate', () => {
    const input = kernel()
    for (const { more, less } of sensitivityOf(input).parameters) {
      for (const step of [more, less]) {
        if (step.kind === 'none') continue
        const next = changed(input, step)
        expect(chipSchema.safeParse(next.chip).success).toBe(true)
        expect(step.seconds).toBe(estimateAttention(next).result.seconds)
      }
    }
  })

  test('of the clock is nearly all that counts where the matrix engine is busy', () => {
    const step = stepOf(kernel(), 'clockGHz', 'more')
    expect(step).toMatchObject({ kind: 'step', factor: 1.1 })
    expect(step.kind === 'step' && step.elasticity).toBeCloseTo(1, 1)
  })

  test('of the memory is what counts for FlashAttention', () => {
    const { parameters } = sensitivityOf(kernel({ dataflow: 'fa3' }))
    expect(parameters.slice(0, 2).map(({ id }) => id)).toEqual(['hbm.channelGBps', 'hbm.channels'])
  })

  test('of the channels moves every edge that has some', () => {
    const input = kernel({ chip: presetChip('flat-2025') })
    expect(stepOf(input, 'hbm.channels', 'more')).toMatchObject({
      changes: [
        { path: 'chip.hbm.channels.west', value: 32 },
        { path: 'chip.hbm.channels.south', value: 32 },
      ],
    })
  })

  test('beyond what the schema allows is none, and says why', () => {
    expect(stepOf(kernel(), 'vectorEngine.expRate', 'more')).toEqual({
      kind: 'none',
      reason: '2 is not within 0.001 to 1',
    })
    const odd = {
      ...presetChip('flat-2026'),
      vectorEngine: { count: 3, fpus: 4, ports: 8, expRate: 1 },
    }
    expect(stepOf(kernel({ chip: odd }), 'vectorEngine.count', 'less')).toEqual({
      kind: 'none',
      reason: '1.5 is not a whole number',
    })
  })

  test('with which the kernel does not run is none, with the reason', () => {
    const input = kernel({ mapping: { sliceRows: 128, sliceCols: 128 } })
    const step = stepOf(input, 'l1.capacityKiB', 'less')
    expect(step.kind === 'none' && step.reason).toMatch(/L1/)
  })
})

test('parameters are ranked by elasticity, and no step slows the clock-bound kernel by being more', () => {
  const chips = fc.constantFrom(...chipPresets.map(({ config }) => config))
  const dataflow = fc.constantFrom('fa2' as const, 'fa3' as const, 'flat-async' as const)
  fc.assert(
    fc.property(chips, dataflow, (chip, chosen) => {
      const { parameters } = sensitivityOf(kernel({ chip, dataflow: chosen }))
      const ranks = parameters.map(({ more }) =>
        more.kind === 'step' ? more.elasticity : Number.NEGATIVE_INFINITY,
      )
      expect(ranks).toEqual(ranks.toSorted((a, b) => b - a))
      const clock = parameters.find(({ id }) => id === 'clockGHz')?.more
      expect(clock?.kind === 'step' && clock.gain).toBeGreaterThanOrEqual(0)
      expect(clock?.kind === 'step' && clock.elasticity).toBeLessThanOrEqual(1 + 1e-6)
    }),
    propertyRuns(12),
  )
})

test('auto is resolved first', () => {
  const document = finish(runSensitivity({ ...kernel(), dataflow: 'auto' }))
  expect(document.input.dataflow).toBe('flat-async')
  expect(document.input.engine).toBe('phase')
})
