import { describe, expect, test } from 'vitest'
import { modelPresets } from '#shared/presets/model-presets.ts'
import { resolveModel } from '#shared/schema/model.ts'
import {
  kvBytesPerLayer,
  layersWithExperts,
  parameterCounts,
  type DecoderModel,
} from '#shared/workload/decoder-model.ts'

function preset(id: string): DecoderModel {
  const found = modelPresets.find(candidate => candidate.id === id)
  if (found === undefined) throw new Error(`no model ${id}`)
  return resolveModel(found.config)
}

const deepSeek = preset('deepseek-v3-671b')
const llama8b: DecoderModel = {
  ...preset('qwen-7b'),
  attention: { kind: 'grouped', heads: 32, kvHeads: 8, headDim: 128 },
}

describe('parameters of DeepSeek-v3-671B', () => {
  const counts = parameterCounts(deepSeek)

  test('are those of the published weights, by part', () => {
    expect(counts.attention).toBe(187_105_280)
    expect(counts.expert).toBe(44_040_192)
    expect(counts.routedExperts).toBe(653_908_770_816)
    expect(counts.routerBiases).toBe(58 * 256)
    expect(counts.total).toBe(671_026_419_200)
  })

  test('that one token meets, without, with one, and with both of embedding and head', () => {
    expect(counts.active).toBe(35_698_924_544)
    expect(counts.activeWithHead).toBe(36_625_603_584)
    expect(counts.activeWithBoth).toBe(37_552_282_624)
  })

  test('a tied head has none of its own', () => {
    const tied = parameterCounts({ ...deepSeek, untiedHead: false })
    expect(counts.total - tied.total).toBe(129_280 * 7168)
  })

  test('58 of 61 layers have experts, none of a dense model', () => {
    expect(layersWithExperts(deepSeek)).toBe(58)
    expect(layersWithExperts(preset('qwen-7b'))).toBe(0)
  })
})

test('the small presets have about the parameters of their names', () => {
  expect(parameterCounts(preset('deepseek-v3-16b')).total / 1e9).toBeCloseTo(15.7, 0)
  // Twice as wide an MLP as the published weights: 7.7 less that of K and V heads, and 4.3 more.
  expect(parameterCounts(preset('qwen-7b')).total / 1e9).toBeCloseTo(11.2, 0)
})

describe('KV cache', () => {
  test('of a latent has no factor of heads: 35,136 and 70,272 bytes over 61 layers', () => {
    expect(61 * kvBytesPerLayer(deepSeek, 'fp8')).toBe(35_136)
    expect(61 * kvBytesPerLayer(deepSeek, 'bf16')).toBe(70_272)
    expect(61 * 4096 * kvBytesPerLayer(deepSeek, 'fp8')).toBe(143_917_056)
  })

  test('of 10,000 tokens in 16 bit is 702.72 MB, 0.6545 GiB', () => {
    const size = 10_000 * 61 * kvBytesPerLayer(deepSeek, 'bf16')
    expect(size).toBe(702_720_000)
    expect(size / 2 ** 30).toBeCloseTo(0.6545, 4)
  })

  test('in 4 bit is half a byte of each element of a latent: 18 MiB a layer for 65,536 tokens', () => {
    const layer = 65_536 * kvBytesPerLayer(deepSeek, 'int4')
    expect(layer).toBe(18 * 2 ** 20)
    expect((61 * layer) / 2 ** 30).toBeCloseTo(1.0723, 4)
  })

  test('packed with scales takes 656 bytes in a layer', () => {
    expect(kvBytesPerLayer(deepSeek, 'fp8-packed')).toBe(656)
  })

  test('of grouped heads counts KV heads: 131,072 bytes for 32 layers with 8 of 128 in 16 bit', () => {
    expect(32 * kvBytesPerLayer(llama8b, 'bf16')).toBe(131_072)
    expect(80 * kvBytesPerLayer(llama8b, 'bf16')).toBe(327_680)
    expect(126 * kvBytesPerLayer(llama8b, 'bf16')).toBe(516_096)
    // 32,768 tokens of the one with 80 layers.
    expect((32_768 * 80 * kvBytesPerLayer(llama8b, 'bf16')) / 2 ** 30).toBe(10)
  })
})
