import { describe, expect, test } from 'vitest'
import { latentSteps } from '#shared/models/attention/latent-steps.ts'
import { mergeOfPartials } from '#shared/models/attention/merge-partials.ts'
import { totalCycles } from '#shared/models/attention/timeline.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { presetChip } from '#shared/validation/published-input.ts'
import { ALL_CLOSED, makeKernelShape } from '#test/support/make-kernel-shape.ts'

const chip = resolveChip(presetChip('flat-2026-fp8'))
const workload = {
  variant: 'mla',
  phase: 'decode',
  heads: 128,
  kvHeads: 1,
  queryLength: 1,
  dtype: 'fp8',
} as const

function mergeOver(groupX: number, dataflow: 'flash-mla-fair' | 'flat-hc' = 'flash-mla-fair') {
  const shape = makeKernelShape(dataflow, workload, { groupX, groupY: 1, sliceRows: 128 }, chip)
  return mergeOfPartials(dataflow, shape, latentSteps(dataflow, shape, 1, chip, ALL_CLOSED), chip)
}

describe('merge of partial results', () => {
  test('is nothing for one tile, nor where the NoC reduces', () => {
    expect(mergeOver(1)).toEqual([])
    expect(mergeOver(4, 'flat-hc')).toEqual([])
  })

  test('fetches four chunks of O, and m and l, in each stage', () => {
    const [fetches] = mergeOver(2)
    expect(fetches?.cycles).toBe(4 * (99 + 128) + (99 + 2))
  })

  test.each([
    [2, 1],
    [4, 2],
    [5, 3],
    [32, 5],
  ])('over %d tiles fetches in %d stages', (tiles, stages) => {
    const [one] = mergeOver(2)
    const [all] = mergeOver(tiles)
    expect(all?.cycles).toBe(stages * (one?.cycles ?? 0))
  })

  test('takes longer the more tiles split KV', () => {
    const cycles = [2, 4, 8, 16, 32].map(tiles => totalCycles(mergeOver(tiles)))
    expect(cycles).toEqual(cycles.toSorted((a, b) => a - b))
    expect(new Set(cycles).size).toBe(5)
  })
})
