import { describe, expect, test } from 'vitest'
import { flashAttention2, flashAttention3 } from '#shared/models/attention/flash.ts'
import { sliceCosts } from '#shared/models/attention/tile-costs.ts'
import { chipBarrier } from '#shared/models/collectives/barrier.ts'
import { makeChip, noArtefacts } from '#test/support/make-chip.ts'
import { ALL_CLOSED, makeKernelShape } from '#test/support/make-kernel-shape.ts'

const chip = makeChip()
/** One tile with two row blocks of four column blocks: 128 × 128 scores each. */
const slices = { sliceRows: 128, sliceCols: 128 }
const shape = makeKernelShape('fa2', { queryLength: 256 * 1024, kvLength: 512 }, slices, chip)
const costs = sliceCosts(shape, chip)
const { softmax } = costs
const softmaxOfBlock = softmax.rowMax + softmax.exp + softmax.rowSum
/** Issue, a row that is closed, and the way: in cycles of 0.965 GHz. */
const latency = 30 + (150 - 100 + 80) * 0.965 + 32
const operand = latency + 256
const store = 20 + 256
const updates = 2 * softmax.stateUpdate

test('the shape is two row blocks of four column blocks on each of 1024 tiles', () => {
  expect(shape).toMatchObject({ rowBlocksPerGroup: 2, columnBlocksPerGroup: 8, activeGroups: 1024 })
})

describe('FlashAttention-2, one tile alone', () => {
  const { components } = flashAttention2(shape, 1, chip, ALL_CLOSED)

  test('multiplies twice in each column block', () => {
    expect(components.matrix).toBe(8 * (costs.scores + costs.output))
  })

  test('exposes all vector time; the first block of a row needs no rescaling', () => {
    const divisions = 2 * softmax.divide
    expect(components.vector).toBe(8 * softmaxOfBlock + 6 * (softmax.rescale + updates) + divisions)
  })

  test('waits for each load and store', () => {
    expect(components.hbm).toBeCloseTo(8 * 2 * operand + 2 * (operand + store), 6)
  })

  test('has no collectives', () => {
    expect(components).toMatchObject({ multicast: 0, 'max-reduction': 0, 'sum-reduction': 0 })
  })

  test('spends the rest on transposition, clearing, launches and synchronisation', () => {
    const iteration = 277 + costs.clearScores + 2 * 21 + 8 * 3.2 + 23
    const rowBlock = costs.clearOutput + 4 * 3.2
    const expected = 2 * chipBarrier(chip) + 8 * iteration + 2 * rowBlock
    expect(components.other).toBeCloseTo(expected, 6)
  })
})

describe('FlashAttention-3, one tile alone', () => {
  const { components } = flashAttention3(shape, 1, chip, ALL_CLOSED)

  test('multiplies as often', () => {
    expect(components.matrix).toBe(8 * (costs.scores + costs.output))
  })

  test('hides the softmax under a matrix operation, but the first of a row', () => {
    expect(softmaxOfBlock + updates).toBeLessThan(costs.output)
    expect(components.vector).toBe(2 * softmaxOfBlock + 6 * softmax.rescale + 2 * softmax.divide)
  })

  test('hides the load of V, but the last of a row', () => {
    expect(operand).toBeLessThan(costs.scores)
    expect(components.hbm).toBeCloseTo(8 * operand + 2 * operand + 2 * (operand + store), 6)
  })

  test('exposes what outlasts the matrix operation above it', () => {
    const slowExp = { ...makeChip().vectorEngine, expRate: 0.05 }
    const slow = { ...chip, vectorEngine: slowExp }
    const slowSteps = sliceCosts(shape, slow).softmax
    const block = slowSteps.rowMax + slowSteps.exp + slowSteps.rowSum
    const exposed = flashAttention3(shape, 1, slow, ALL_CLOSED).components.vector
    expect(exposed).toBeCloseTo(
      6 * (block + updates - costs.output + softmax.rescale) + 2 * block + 2 * softmax.divide,
      6,
    )
  })

  test('is faster than FlashAttention-2', () => {
    expect(flashAttention3(shape, 1, chip, ALL_CLOSED).total).toBeLessThan(
      flashAttention2(shape, 1, chip, ALL_CLOSED).total,
    )
  })
})

test('tiles that load together share the channels', () => {
  const sustained = 0.98 * (2048 / 0.965)
  const all = latency + (1024 * 32_768) / sustained
  const allStore = 20 + (1024 * 32_768) / sustained / 1.33
  const { components } = flashAttention2(shape, 1024, chip, ALL_CLOSED)
  expect(components.hbm).toBeCloseTo(8 * 2 * all + 2 * (all + allStore), 4)
})

test('loads into open rows save the time that a row takes to open', () => {
  const open = flashAttention2(shape, 1, chip, { ...ALL_CLOSED, key: 0, value: 0.5 })
  const closed = flashAttention2(shape, 1, chip, ALL_CLOSED)
  expect(closed.total - open.total).toBeCloseTo(8 * 1.5 * 80 * 0.965, 6)
})

test('row blocks that the mask empties only store their zeros', () => {
  const honest = makeChip({ tiles: { x: 1, y: 1 }, referenceArtefacts: noArtefacts })
  const long = { queryLength: 512, kvLength: 128, causal: true }
  const masked = makeKernelShape('fa2', long, slices, honest)
  expect(masked).toMatchObject({
    rowBlocksPerGroup: 4,
    busyRowBlocksPerGroup: 1,
    columnBlocksPerGroup: 1,
  })
  const busy = makeKernelShape('fa2', { ...long, queryLength: 128 }, slices, honest)
  for (const kernel of [flashAttention2, flashAttention3]) {
    const zeros =
      kernel(masked, 1, honest, ALL_CLOSED).total - kernel(busy, 1, honest, ALL_CLOSED).total
    const clearAndStore = costs.clearOutput + store
    expect(zeros).toBeCloseTo(3 * clearAndStore, 6)
  }
})
