import { describe, expect, test } from 'vitest'
import { pipelineStages } from '#shared/models/decode/pipeline-stages.ts'
import { modelPresets } from '#shared/presets/model-presets.ts'
import { resolveModel } from '#shared/schema/model.ts'

const [preset] = modelPresets
if (preset === undefined) throw new Error('no model')
const model = resolveModel(preset.config)

describe('stages', () => {
  test.each([
    [1, [61]],
    [2, [31, 30]],
    [4, [16, 15, 15, 15]],
    [61, Array.from({ length: 61 }, () => 1)],
  ])('%i of them share 61 layers', (count, layers) => {
    expect(pipelineStages(model, count, 'exact').map(stage => stage.layers)).toEqual(layers)
  })

  test('exact has three dense layers first, the embedding before and the head behind', () => {
    expect(
      pipelineStages(model, 32, 'exact')
        .map(({ denseLayers }) => denseLayers)
        .slice(0, 3),
    ).toEqual([2, 1, 0])
    const stages = pipelineStages(model, 2, 'exact')
    expect(stages.map(({ hasEmbedding, hasHead }) => [hasEmbedding, hasHead])).toEqual([
      [true, false],
      [false, true],
    ])
  })

  test('equal-moe has experts in every layer, and nothing around', () => {
    const stages = pipelineStages(model, 2, 'equal-moe')
    expect(stages.map(({ denseLayers, expertLayers }) => [denseLayers, expertLayers])).toEqual([
      [0, 31],
      [0, 30],
    ])
    expect(stages.some(({ hasEmbedding, hasHead }) => hasEmbedding || hasHead)).toBe(false)
  })
})
