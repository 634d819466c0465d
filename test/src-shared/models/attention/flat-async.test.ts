import { describe, expect, test } from 'vitest'
import { flatAsync } from '#shared/models/attention/flat-async.ts'
import { flatSync } from '#shared/models/attention/flat-sync.ts'
import { sliceCosts } from '#shared/models/attention/tile-costs.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { meshOf } from '#shared/validation/published-input.ts'
import { makeChip, noArtefacts } from '#test/support/make-chip.ts'
import { ALL_CLOSED, makeKernelShape } from '#test/support/make-kernel-shape.ts'

const chip = resolveChip(meshOf(4, 4))
const group = { groupX: 4, groupY: 4, sliceRows: 128, sliceCols: 128 }
const heads = (count: number) => ({ heads: count, kvHeads: count })
const kernel = (count: number, length: number) =>
  makeKernelShape(
    'flat-async',
    { ...heads(count), queryLength: length, kvLength: length },
    group,
    chip,
  )

describe('FlatAsync', () => {
  test.each([
    [2, 512],
    [4, 512],
    [8, 512],
    [2, 1024],
    [6, 1024],
  ])('multiplies twice in each column block: %d heads of length %d', (count, length) => {
    const shape = kernel(count, length)
    const costs = sliceCosts(shape, chip)
    const { components } = flatAsync(shape, 1, chip, ALL_CLOSED)
    expect(components.matrix).toBe(shape.columnBlocksPerGroup * (costs.scores + costs.output))
  })

  test('adds the same time for each further pair of heads', () => {
    const total = (count: number) => flatAsync(kernel(count, 512), 1, chip, ALL_CLOSED).total
    expect(total(10) - total(8)).toBeCloseTo(total(8) - total(6), 6)
  })

  test('is faster than one head at a time, slower than the matrix engine alone', () => {
    const shape = kernel(8, 512)
    const { total, components } = flatAsync(shape, 1, chip, ALL_CLOSED)
    expect(total).toBeLessThan(flatSync('flat-hc', shape, 1, chip, ALL_CLOSED).total)
    expect(total).toBeGreaterThan(components.matrix)
  })

  test('hides nearly all that runs beside the matrix engine in the steady state', () => {
    const many = flatAsync(kernel(200, 512), 1, chip, ALL_CLOSED)
    expect(many.components.matrix / many.total).toBeGreaterThan(0.95)
  })

  test('exposes chains that outlast the matrix operation', () => {
    const slow = { ...chip, vectorEngine: { ...chip.vectorEngine, expRate: 0.01 } }
    const { components } = flatAsync(kernel(8, 512), 1, slow, ALL_CLOSED)
    expect(components.vector).toBeGreaterThan(components.matrix)
  })

  test('does one of two rescale steps on 32 rows of an engine, not on the 8 that are skipped', () => {
    const thin = { ...group, sliceRows: 32 }
    const workload = { ...heads(8), queryLength: 128, kvLength: 4096 }
    const shape = makeKernelShape('flat-async', workload, thin, chip)
    const artefacts = { ...chip.artefacts, rescaleDimensionsSwapped: false }
    const unswapped = { ...chip, artefacts }
    const longer =
      flatAsync(shape, 1, chip, ALL_CLOSED).total - flatAsync(shape, 1, unswapped, ALL_CLOSED).total
    // 7 of the 8 column blocks of each head are rescaled, those of every other head as 128 rows of
    // 32; the first and the last scores phase of the kernel have no rescaling.
    expect(sliceCosts(shape, chip).softmax.rescale).toBe(0)
    expect(longer).toBeCloseTo((8 * 7 * (32 * (2 + 2 + 4) + 23)) / 2, 6)
  })

  test('rescales alike in both steps where rows and head dimension are equal', () => {
    const artefacts = { ...chip.artefacts, rescaleDimensionsSwapped: false }
    const shape = kernel(8, 1024)
    expect(flatAsync(shape, 1, { ...chip, artefacts }, ALL_CLOSED).total).toBe(
      flatAsync(shape, 1, chip, ALL_CLOSED).total,
    )
  })

  test('only stores zeros for row blocks that the mask empties', () => {
    const honest = { ...chip, artefacts: makeChip({ referenceArtefacts: noArtefacts }).artefacts }
    const masked = (queryLength: number) =>
      makeKernelShape(
        'flat-async',
        { ...heads(2), queryLength, kvLength: 512, causal: true },
        group,
        honest,
      )
    const costs = sliceCosts(masked(512), honest)
    const zeros =
      flatAsync(masked(2048), 1, honest, ALL_CLOSED).total -
      flatAsync(masked(512), 1, honest, ALL_CLOSED).total
    const store = 20 + (4 * 32_768) / (1.33 * 0.98 * (256 / 0.965))
    // Three row blocks of each of two heads.
    expect(zeros).toBeCloseTo(6 * (store + costs.clearOutput + 23), 6)
  })
})
