import { describe, expect, test } from 'vitest'
import { kernelExperiment } from '#renderer/results/decode/kernel-experiment.ts'
import { modelPresets } from '#shared/presets/model-presets.ts'
import type { DecodeInput } from '#shared/schema/decode-input.ts'
import type { DeploymentConfig } from '#shared/schema/deployment.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { estimateDecode } from '#shared/simulate/run-decode.ts'
import { makeDecodeInput } from '#test/support/make-decode-input.ts'

/** Time of one run of a kernel: by the table of the deployment, and as an experiment of its own. */
function bothTimes(input: DecodeInput, kernel: string): readonly [number, number] {
  const row = estimateDecode(input).result.kernels.find(({ name }) => name === kernel)
  const spec = kernelExperiment(input, kernel)
  const dataflow = spec?.dataflows[0]
  if (row === undefined || spec === undefined || dataflow === undefined) {
    throw new Error(`${kernel} is no row that opens`)
  }
  const { chip, workload, mapping } = spec
  const alone = estimateAttention({
    ...{ kind: 'attention', engine: 'phase', chip, workload, mapping, dataflow },
  })
  return [row.seconds / row.count, alone.result.seconds]
}

describe('attention as an experiment of its own takes as long as its row says', () => {
  test.each([
    { attention: 'flat' },
    { attention: 'flash' },
    { attention: 'flash-fair' },
    { batchPerChip: 96, kvLength: 8192, speculativeLength: 3 },
    { communication: 'overlap' },
    { communication: 'overlap', batchPerChip: 95 },
  ] satisfies Partial<DeploymentConfig>[])('%j', changes => {
    const [row, alone] = bothTimes(makeDecodeInput(changes), 'attention')
    expect(alone).toBeCloseTo(row, 12)
  })

  test('of a drafting module, with one new token', () => {
    const input = makeDecodeInput({ layers: 'exact', ignoreCapacity: true })
    const [row, alone] = bothTimes(input, 'draft: attention')
    expect(alone).toBeCloseTo(row, 12)
  })
})

test('the Lab has no other kernels', () => {
  const input = makeDecodeInput()
  const opens = estimateDecode(input).result.kernels.flatMap(({ name }) =>
    kernelExperiment(input, name) === undefined ? [] : [name],
  )
  expect([...new Set(opens)]).toEqual(['attention'])
})

test('every model has a kernel of attention that opens, with names of a length that is allowed', () => {
  for (const { config } of modelPresets) {
    const model = { ...config, name: 'm'.repeat(120) }
    const spec = kernelExperiment({ ...makeDecodeInput(), model }, 'attention')
    expect(spec?.workload.heads).toBe(config.attention.heads)
  }
})
