import { describe, expect, test } from 'vitest'
import {
  attentionInputSchema,
  experimentSpecSchema,
  runInputs,
  type ExperimentSpec,
} from '#shared/schema/attention-input.ts'
import { makeAttentionInput } from '#test/support/make-attention-input.ts'
import { makeChipConfig } from '#test/support/make-chip.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

const spec: ExperimentSpec = {
  name: 'Two dataflows',
  chip: makeChipConfig(),
  workload: makeWorkload(),
  mapping: { groupX: 8 },
  dataflows: ['fa3', 'flat-async'],
}

describe('input of a run', () => {
  test('is accepted with its parts resolved', () => {
    expect(attentionInputSchema.parse(makeAttentionInput())).toEqual(makeAttentionInput())
  })

  test.each([
    { ...makeAttentionInput(), dataflow: 'fa4' },
    { ...makeAttentionInput(), engine: 'cycle' },
    { ...makeAttentionInput(), kind: 'gemm' },
    { ...makeAttentionInput(), seed: 1 },
  ])('is refused with another dataflow, engine, kind or key', candidate => {
    expect(attentionInputSchema.safeParse(candidate).success).toBe(false)
  })
})

describe('experiment', () => {
  test('has a run for each dataflow, on the same chip, workload and mapping', () => {
    const { chip, workload, mapping } = spec
    expect(runInputs(spec)).toEqual(
      spec.dataflows.map(dataflow => makeAttentionInput({ chip, workload, mapping, dataflow })),
    )
  })

  test('runs a dataflow once, however often it is named', () => {
    expect(runInputs({ ...spec, dataflows: ['fa3', 'fa3'] })).toHaveLength(1)
  })

  test('needs at least one dataflow', () => {
    const parsed = experimentSpecSchema.safeParse({ ...spec, dataflows: [] })
    expect(parsed.error?.issues).toMatchObject([{ message: 'choose at least one dataflow' }])
  })

  test('may be without a name', () => {
    expect(experimentSpecSchema.parse({ ...spec, name: ' ' }).name).toBe('')
  })
})
