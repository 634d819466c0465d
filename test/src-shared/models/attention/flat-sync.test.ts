import { describe, expect, test } from 'vitest'
import { flatSync } from '#shared/models/attention/flat-sync.ts'
import { sliceCosts } from '#shared/models/attention/tile-costs.ts'
import { barrier, chipBarrier } from '#shared/models/collectives/barrier.ts'
import {
  hardwareMulticast,
  hardwareReduction,
} from '#shared/models/collectives/hardware-collectives.ts'
import { bytes } from '#shared/units/quantity.ts'
import { meshOf } from '#shared/validation/published-input.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { ALL_CLOSED, makeKernelShape } from '#test/support/make-kernel-shape.ts'

/** 4 × 4 tiles as one group; two row blocks of three column blocks. */
const chip = resolveChip(meshOf(4, 4))
const slices = { groupX: 4, groupY: 4, sliceRows: 128, sliceCols: 128 }
const shape = makeKernelShape('flat-hc', { queryLength: 1024, kvLength: 1536 }, slices, chip)
const costs = sliceCosts(shape, chip)
const { softmax } = costs
const multicast = (size: number) => hardwareMulticast(bytes(size), 4, chip)
const reduction = (size: number) => hardwareReduction(bytes(size), 4, chip)

describe('FlatHC of one job', () => {
  const { components } = flatSync('flat-hc', shape, 1, chip, ALL_CLOSED)

  test('multiplies twice in each of six column blocks', () => {
    expect(components.matrix).toBe(6 * (costs.scores + costs.output))
  })

  test('exposes all vector time', () => {
    const { rowMax, exp, rowSum, rescale, divide, stateUpdate } = softmax
    expect(components.vector).toBe(
      6 * (rowMax + exp + rowSum) + 4 * (rescale + 2 * stateUpdate) + 2 * divide,
    )
  })

  test('multicasts K and V together, the state twice, and Q once in a row block', () => {
    const perColumnBlock = multicast(2 * 32_768) + 2 * multicast(256)
    expect(components.multicast).toBeCloseTo(6 * perColumnBlock + 2 * multicast(32_768), 6)
  })

  test('reduces maxima and sums in each column block, O in each row block', () => {
    expect(components['max-reduction']).toBeCloseTo(6 * reduction(256), 6)
    expect(components['sum-reduction']).toBeCloseTo(6 * reduction(256) + 2 * reduction(32_768), 6)
  })

  test('meets eight times in a column block and four times in a row block', () => {
    const columnBlock =
      costs.clearScores + 2 * 23 + 277 + 2 * 21 + 6 * 3.2 + 8 * barrier(4, 4, chip)
    const rowBlock = costs.clearOutput + 23 + 2 * 3.2 + 4 * barrier(4, 4, chip)
    const expected = 2 * chipBarrier(chip) + 6 * columnBlock + 2 * rowBlock
    expect(components.other).toBeCloseTo(expected, 6)
  })
})

test('software collectives differ from hardware in the collectives alone', () => {
  const hardware = flatSync('flat-hc', shape, 1, chip, ALL_CLOSED).components
  for (const dataflow of ['flat-tc', 'flat-sc'] as const) {
    const software = flatSync(dataflow, shape, 1, chip, ALL_CLOSED).components
    const { matrix, vector, hbm, other } = hardware
    expect(software).toMatchObject({ matrix, vector, hbm, other })
    expect(software.multicast).toBeGreaterThan(hardware.multicast)
    expect(software['sum-reduction']).toBeGreaterThan(hardware['sum-reduction'])
  }
})

test('a group of one tile has neither collectives nor barriers of a group', () => {
  const alone = makeKernelShape('flat-hc', {}, { ...slices, groupX: 1, groupY: 1 }, chip)
  expect(flatSync('flat-hc', alone, 1, chip, ALL_CLOSED).components).toMatchObject({
    multicast: 0,
    'max-reduction': 0,
    'sum-reduction': 0,
  })
})

test('without keys O is cleared and stored, and nothing else', () => {
  const empty = makeKernelShape('flat-hc', { queryLength: 1024, kvLength: 0 }, slices, chip)
  const { components } = flatSync('flat-hc', empty, 1, chip, ALL_CLOSED)
  expect(components).toMatchObject({ matrix: 0, vector: 0, multicast: 0, 'sum-reduction': 0 })
  // The first of two stores drains while the second O is cleared.
  const { clearOutput, sync } = sliceCosts(empty, chip)
  const channels = (4 * 32_768) / (0.98 * (256 / 0.965))
  const between = clearOutput + chip.control.dmaLocal + 2 * sync
  expect(components.hbm).toBeCloseTo(2 * channels - between, 6)
})
