import { describe, expect, test } from 'vitest'
import { attentionInputSchema } from '#shared/schema/attention-input.ts'
import { meshOf, presetChip, publishedInput } from '#shared/validation/published-input.ts'

describe('inputs behind published numbers', () => {
  test('are those that a person could type', () => {
    const input = publishedInput({
      chip: meshOf(8, 4),
      dataflow: 'fa2',
      batch: 1,
      heads: 64,
      headDim: 128,
      queryLength: 128,
      kvLength: 1024,
    })
    expect(attentionInputSchema.parse(input)).toEqual(input)
  })

  test('take another mesh of the same tiles', () => {
    const preset = presetChip('flat-2026')
    expect(meshOf(8, 4)).toEqual({
      ...preset,
      name: '8 x 8 tiles, 4 channels',
      tiles: { x: 8, y: 8 },
      hbm: { ...preset.hbm, channels: { west: 0, north: 0, east: 0, south: 4 } },
    })
  })

  test('name a preset that does not exist', () => {
    expect(() => presetChip('flat-2027')).toThrow('no chip preset flat-2027')
  })
})
