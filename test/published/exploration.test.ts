import { describe, expect, test } from 'vitest'
import { presetChip } from '#shared/validation/published-input.ts'
import { bestSquareGroup, validateExploration } from '#shared/validation/validate-exploration.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

const target = { meanAbsoluteError: 0.08, largestError: 0.16 }
const layer = { batch: 4, heads: 32, headDim: 128 }

const withChannels = (preset: string, perEdge: number) => {
  const chip = presetChip(preset)
  const channels = { west: perEdge, north: 0, east: 0, south: perEdge }
  return { ...chip, hbm: { ...chip.hbm, channels } }
}

describe('the exploration of chip and dataflow of 2025', () => {
  expectSets(validateExploration(), [
    { id: 'figD-coexploration-2025', rows: 12, target },
    { id: 'figD-h100-comparison-2025', rows: 2, target },
  ])

  test.each(['flat-2025', 'granularity-16x16', 'granularity-8x8'])(
    '%s gets no slower with more channels',
    preset => {
      const utilizations = [4, 8, 16, 32].map(
        channels => bestSquareGroup(withChannels(preset, channels), 2048, layer).utilization,
      )
      expect(utilizations).toEqual(utilizations.toSorted((a, b) => a - b))
      expect(utilizations[0]).toBeLessThan(utilizations[3] ?? 0)
    },
  )

  test('short sequences want smaller groups than long ones', () => {
    const chip = withChannels('flat-2025', 32)
    const groups = [512, 1024, 2048, 4096].map(length => bestSquareGroup(chip, length, layer).group)
    expect(groups).toEqual([4, 8, 16, 32])
  })

  test('no group is larger than the mesh', () => {
    expect(bestSquareGroup(presetChip('granularity-8x8'), 16_384, layer).group).toBeLessThan(9)
  })
})
