import { describe, expect, test } from 'vitest'
import { weightsOf } from '#shared/models/decode/memory-demand.ts'
import { modelPresets } from '#shared/presets/model-presets.ts'
import { resolveModel } from '#shared/schema/model.ts'
import { gemmFlops } from '#shared/workload/gemm.ts'
import { usefulFlops } from '#shared/workload/attention.ts'
import {
  attentionCalls,
  denseCalls,
  expertCalls,
  type KernelCall,
} from '#shared/workload/decode-kernels.ts'
import type { DecoderModel } from '#shared/workload/decoder-model.ts'
import { contextFlops, projectionFlops } from '#shared/workload/decoder-layer.ts'

function preset(id: string): DecoderModel {
  const found = modelPresets.find(candidate => candidate.id === id)
  if (found === undefined) throw new Error(`no model ${id}`)
  return resolveModel(found.config)
}

const deepSeek = preset('deepseek-v3-671b')
const tokens = { batch: 256, speculativeLength: 2, kvLength: 4096 }
const plain = { downProjectionLikeUp: false }

/** n and k of each GEMM. */
const shapes = (calls: readonly KernelCall[]) =>
  Object.fromEntries(
    calls.flatMap(({ name, kernel }) =>
      kernel.kind === 'gemm' ? [[name, [kernel.workload.n, kernel.workload.k]]] : [],
    ),
  )

describe('absorbed MLA', () => {
  test('has the projections of the published layer', () => {
    expect(shapes(attentionCalls(deepSeek, tokens))).toEqual({
      'latent-projection': [2048, 7168],
      'rope-key-projection': [64, 7168],
      'query-projection': [65_536, 1536],
      'rope-query-projection': [8192, 1536],
      'value-projection': [128, 512],
      'output-projection': [7168, 16_384],
    })
  })

  test('with shared expert and router a layer reads 300.1 MB on every chip', () => {
    const layer = [
      ...attentionCalls(deepSeek, tokens),
      ...expertCalls(deepSeek, tokens, [], false, plain),
    ]
    expect(weightsOf(layer) / 1e6).toBeCloseTo(300.1, 1)
  })

  test('FLOPs of a token are those of the layer by formula', () => {
    const one = { ...tokens, batch: 1, speculativeLength: 1 }
    const layer = [
      ...attentionCalls(deepSeek, one),
      ...expertCalls(deepSeek, one, [{ rows: 1, experts: 8 }], false, plain),
    ]
    const flops = layer.reduce((sum, { kernel, count }) => {
      if (kernel.kind === 'vector') return sum
      return (
        sum +
        count * (kernel.kind === 'gemm' ? gemmFlops(kernel.workload) : usefulFlops(kernel.workload))
      )
    }, 0)
    const { attention, hidden, experts } = deepSeek
    if (attention.kind !== 'latent') throw new Error('latent expected')
    const byFormula = {
      attention: { ...attention, hidden },
      feedForward: { hidden, inner: experts.inner, activeExperts: 9, routedExperts: 256 },
    }
    expect(flops).toBe(
      projectionFlops(byFormula) + contextFlops({ ...attention, hidden }, tokens.kvLength),
    )
  })

  test('without absorption it expands the context to keys and values of every head', () => {
    const { attention } = deepSeek
    if (attention.kind !== 'latent') throw new Error('latent expected')
    const expanded = attentionCalls(
      { ...deepSeek, attention: { ...attention, absorbed: false } },
      tokens,
    )
    expect(shapes(expanded)).toMatchObject({
      'query-projection': [16_384, 1536],
      'key-value-projection': [32_768, 512],
    })
    const call = expanded.find(({ name }) => name === 'key-value-projection')
    expect(call?.kernel.workload).toMatchObject({ m: 256 * 4096 })
  })
})

describe('grouped attention and dense MLP', () => {
  test('Qwen projects queries, keys and values at once', () => {
    const qwen = preset('qwen-7b')
    expect(shapes([...attentionCalls(qwen, tokens), ...denseCalls(qwen, tokens, plain)])).toEqual({
      'query-key-value-projection': [6144, 4096],
      'output-projection': [4096, 4096],
      'dense-up': [22_016, 4096],
      'dense-gate': [22_016, 4096],
      'dense-down': [4096, 22_016],
    })
  })

  test.each([
    [8, 'gqa'],
    [32, 'mha'],
    [1, 'mqa'],
  ])('%i KV heads of 32 are %s', (kvHeads, variant) => {
    const model: DecoderModel = {
      ...preset('qwen-7b'),
      attention: { kind: 'grouped', heads: 32, kvHeads, headDim: 128 },
    }
    const call = attentionCalls(model, tokens).find(({ name }) => name === 'attention')
    expect(call?.kernel.workload).toMatchObject({ variant, kvHeads })
  })
})

test('the artefact gives the down-projection the shape of the others, with as many FLOPs', () => {
  const down = (downProjectionLikeUp: boolean) =>
    expertCalls(deepSeek, tokens, [], false, { downProjectionLikeUp }).find(
      ({ name }) => name === 'shared-down',
    )?.kernel.workload
  expect(down(false)).toMatchObject({ n: 7168, k: 2048 })
  expect(down(true)).toMatchObject({ n: 2048, k: 7168 })
})

test('a chip with all experts sorts the tokens itself', () => {
  const names = (onChip: boolean) =>
    expertCalls(deepSeek, tokens, [{ rows: 16, experts: 256 }], onChip, plain).map(
      ({ name }) => name,
    )
  expect(names(true)).toEqual(expect.arrayContaining(['dispatch', 'combine']))
  expect(names(false)).not.toContain('dispatch')
})
