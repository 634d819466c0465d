import { expect, test } from 'vitest'
import { chipGroups } from '#shared/models/wafer/chip-groups.ts'
import { pipelineTransfer } from '#shared/models/wafer/pipeline-transfer.ts'
import { bytes } from '#shared/units/quantity.ts'
import { timeOf } from '#shared/validation/published-wafer.ts'
import { makeWafer } from '#test/support/make-wafer.ts'

const wafer = makeWafer({ x: 8, y: 8 })
const stagesOf = (size: number) => chipGroups(size, wafer) ?? []

test('two stages of 32 chips: four hops down, four streams over each of the links in the middle', () => {
  const { seconds, estimate } = pipelineTransfer(stagesOf(32), 512, bytes(7168), wafer)
  expect(estimate.flits).toBe(4 * 512 * 7)
  // To the first link of the row in the middle 0 to 3 hops, and 1 to 4 from there.
  expect(seconds).toBeCloseTo((53 + 4 * 3584 - 1 + 4 * 259 + 53) * 1e-9, 12)
})

test('agrees with the simulation of the same transfers', () => {
  for (const size of [16, 32]) {
    const stages = stagesOf(size)
    const { seconds } = pipelineTransfer(stages, 512, bytes(7168), wafer)
    const destinations = Array.from({ length: 64 }, () => new Int32Array(0))
    for (const [stage, { chips }] of stages.slice(1).entries()) {
      for (const [member, to] of chips.entries()) {
        const from = stages[stage]?.chips[member] ?? 0
        destinations[from] = new Int32Array(512).fill(to)
      }
    }
    const { lastData } = timeOf({ destinations, flitsPerMessage: 7 }, wafer, 'event')
    expect(seconds / (lastData * 1e-9)).toBeGreaterThan(0.98)
    expect(seconds / (lastData * 1e-9)).toBeLessThan(1.08)
  }
})

test('one stage hands on nothing', () => {
  expect(pipelineTransfer(stagesOf(64), 512, bytes(7168), wafer).seconds).toBe(0)
})
