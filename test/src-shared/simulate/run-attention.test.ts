import { describe, expect, test } from 'vitest'
import { MODEL_VERSION } from '#shared/model-version.ts'
import { dataflowsOf } from '#shared/mapping/dataflow.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { estimateAttention, runAttention } from '#shared/simulate/run-attention.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
import { makeAttentionInput } from '#test/support/make-attention-input.ts'
import { makeChipConfig } from '#test/support/make-chip.ts'
import { makeOutcome } from '#test/support/make-outcome.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

describe('estimate', () => {
  test('carries the versions and the input that it was made from', () => {
    const input = makeAttentionInput()
    expect(estimateAttention(input)).toMatchObject({
      schemaVersion: SCHEMA_VERSION,
      modelVersion: MODEL_VERSION,
      input,
    })
  })

  test('survives JSON unchanged', () => {
    const document = estimateAttention(makeAttentionInput())
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  test('leaves its input alone', () => {
    const input = makeAttentionInput()
    const before = structuredClone(input)
    estimateAttention(input)
    expect(input).toEqual(before)
  })
})

describe('simulation in steps', () => {
  test('says what it does, and how far it is', () => {
    expect([...runAttention(makeAttentionInput())]).toEqual([
      { phase: 'mapping', done: 0, total: 3 },
      { phase: 'phases', done: 1, total: 3 },
      { phase: 'explanation', done: 2, total: 3 },
    ])
  })

  test('can be dropped between two steps', () => {
    const simulation = runAttention(makeAttentionInput())
    simulation.next()
    simulation.return(estimateAttention(makeAttentionInput()))
    expect(simulation.next()).toEqual({ done: true, value: undefined })
  })
})

const latent = makeWorkload({
  variant: 'mla',
  phase: 'decode',
  batch: 3,
  heads: 128,
  kvHeads: 1,
  queryLength: 1,
  dtype: 'fp8',
})

describe('refusal', () => {
  test.each(['fa2', 'fa3'] as const)('of %s for decode of MLA names FlashMLA', dataflow => {
    const input = makeAttentionInput({ workload: latent, dataflow })
    expect(() => estimateAttention(input)).toThrow(InfeasibleError)
    expect(() => estimateAttention(input)).toThrow(
      `dataflow: ${dataflow} has no kernel for decode of variant mla, whose keys and values are one ` +
        'latent vector; use flash-mla (one tile for each sequence) or flash-mla-fair (all tiles)',
    )
  })

  test.each(['flash-mla', 'flash-mla-fair'] as const)(
    'of %s for another variant names what is allowed',
    dataflow => {
      const input = makeAttentionInput({ workload: makeWorkload(), dataflow })
      expect(() => estimateAttention(input)).toThrow(
        `dataflow: ${dataflow} is for decode of variant mla only, got prefill of variant mha; ` +
          'allowed are fa2, fa3, flat-sc, flat-tc, flat-hc, flat-async',
      )
    },
  )

  test('of a mapping has the numbers', () => {
    const input = makeAttentionInput({ mapping: { sliceRows: 512, sliceCols: 512 } })
    expect(() => estimateAttention(input)).toThrow(InfeasibleError)
    expect(() => estimateAttention(input)).toThrow(/512 × 512 .* 384 KiB/)
  })
})

describe('corner cases return for every dataflow', () => {
  const cases = {
    'one tile': { chip: makeChipConfig({ tiles: { x: 1, y: 1 } }) },
    'an odd mesh': { chip: makeChipConfig({ tiles: { x: 7, y: 5 } }) },
    'batch 1, KV 0': { workload: makeWorkload({ kvLength: 0 }) },
    'batch 1, KV 1': { workload: makeWorkload({ kvLength: 1 }) },
    'ragged lengths': { workload: makeWorkload({ queryLength: 1001, kvLength: 77 }) },
    'more queries than keys under a causal mask': {
      workload: makeWorkload({ queryLength: 3000, kvLength: 7, causal: true }),
    },
    'MLA decode on one tile': {
      workload: latent,
      chip: makeChipConfig({ tiles: { x: 1, y: 1 } }),
    },
    'MLA decode on an odd mesh': {
      workload: latent,
      chip: makeChipConfig({ tiles: { x: 7, y: 5 } }),
    },
    'MLA decode, KV 0': { workload: { ...latent, kvLength: 0 } },
    'MLA decode, KV 1': { workload: { ...latent, kvLength: 1 } },
    'MLA decode, one head of one sequence': { workload: { ...latent, heads: 1, batch: 1 } },
    'MLA decode, KV 131072': { workload: { ...latent, kvLength: 131_072 } },
    'MLA prefill': { workload: { ...latent, phase: 'prefill' as const, queryLength: 512 } },
  }
  const each = Object.entries(cases).flatMap(([title, changes]) => {
    const { workload } = makeAttentionInput(changes)
    return dataflowsOf(workload).map(dataflow => ({ title, dataflow, changes }))
  })
  test.each(each)('$title, $dataflow', ({ dataflow, changes }) => {
    const outcome = makeOutcome(makeAttentionInput({ dataflow, ...changes }))
    const cycles = outcome.kind === 'document' ? outcome.document.result.cycles : outcome.message
    expect(cycles).toBeGreaterThan(0)
  })
})
