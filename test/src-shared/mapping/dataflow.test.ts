import { describe, expect, test } from 'vitest'
import { dataflowDescriptions, dataflows, isFlash } from '#shared/mapping/dataflow.ts'

describe('dataflows', () => {
  test('have the ids of the command line', () => {
    expect(dataflows).toEqual(['fa2', 'fa3', 'flat-sc', 'flat-tc', 'flat-hc', 'flat-async'])
  })

  test('have a label each, and no label twice', () => {
    const labels = dataflows.map(id => dataflowDescriptions[id].label)
    expect(new Set(labels).size).toBe(dataflows.length)
  })

  test('are FlashAttention where each tile works alone', () => {
    expect(dataflows.filter(isFlash)).toEqual(['fa2', 'fa3'])
  })
})
