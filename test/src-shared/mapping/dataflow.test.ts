import { describe, expect, test } from 'vitest'
import { dataflowDescriptions, dataflows, dataflowsOf, isFlash } from '#shared/mapping/dataflow.ts'

describe('dataflows', () => {
  test('have the ids of the command line', () => {
    expect(dataflows).toEqual([
      'fa2',
      'fa3',
      'flat-sc',
      'flat-tc',
      'flat-hc',
      'flat-async',
      'flash-mla',
      'flash-mla-fair',
    ])
  })

  test('have a label each, and no label twice', () => {
    const labels = dataflows.map(id => dataflowDescriptions[id].label)
    expect(new Set(labels).size).toBe(dataflows.length)
  })

  test('are FlashAttention where each tile works alone', () => {
    expect(dataflows.filter(isFlash)).toEqual(['fa2', 'fa3', 'flash-mla', 'flash-mla-fair'])
  })

  test.each(['mha', 'gqa', 'mqa'] as const)('of %s do not include FlashMLA', variant => {
    for (const phase of ['prefill', 'decode'] as const) {
      expect(dataflowsOf({ variant, phase })).toEqual(dataflows.slice(0, 6))
    }
  })

  test('of MLA are those of every head in prefill, and those of the latent in decode', () => {
    expect(dataflowsOf({ variant: 'mla', phase: 'prefill' })).toEqual(dataflows.slice(0, 6))
    expect(dataflowsOf({ variant: 'mla', phase: 'decode' })).toEqual(dataflows.slice(2))
  })
})
