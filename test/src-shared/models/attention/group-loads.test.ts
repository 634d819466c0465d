import { describe, expect, test } from 'vitest'
import { groupLoads } from '#shared/models/attention/group-loads.ts'
import { sliceCosts } from '#shared/models/attention/tile-costs.ts'
import { makeChip } from '#test/support/make-chip.ts'
import { ALL_CLOSED, makeKernelShape } from '#test/support/make-kernel-shape.ts'

const chip = makeChip()
const layer = { batch: 2, heads: 32, kvHeads: 32 }
/** Issue, a row that is closed, and the way: in cycles of 0.965 GHz. */
const latency = 30 + (150 - 100 + 80) * 0.965 + 32
const sustained = 0.98 * (2048 / 0.965)

const loadsOf = (group: number, concurrent: number) => {
  const shape = makeKernelShape('flat-hc', layer, { groupX: group, groupY: group }, chip)
  return groupLoads(shape, concurrent, sliceCosts(shape, chip), chip, ALL_CLOSED)
}

describe('loads of a block', () => {
  test('come from one tile in each row and column of the group', () => {
    const { query, key, value } = loadsOf(32, 1)
    expect(query).toBeCloseTo(latency + (32 * 32_768) / sustained, 6)
    expect([key, value]).toEqual([query, query])
  })

  test('go at one flit per cycle where the channels are not busy', () => {
    expect(loadsOf(4, 1).query).toBeCloseTo(latency + 256, 9)
  })

  test('share the channels with those of the other groups', () => {
    expect(loadsOf(4, 64).key).toBeCloseTo(latency + (256 * 32_768) / sustained, 6)
  })

  test('of K and V together pay one latency', () => {
    const { key, value, keyAndValue } = loadsOf(4, 64)
    expect(keyAndValue).toBeCloseTo(key + value - latency, 6)
  })

  test('do not delay a store, which is posted', () => {
    expect(loadsOf(4, 1).outputStore).toBe(20 + 256)
  })
})
