import { describe, expect, test } from 'vitest'
import { iterationTime, type StageTime } from '#shared/models/decode/iteration-time.ts'
import { layerTime } from '#shared/models/decode/layer-time.ts'
import type { KernelCall } from '#shared/workload/decode-kernels.ts'

const call: KernelCall = {
  name: 'kernel',
  count: 2,
  kernel: { kind: 'gemm', workload: { m: 1, n: 1, k: 1, batch: 1, dtype: 'fp8' } },
}
const timer = () => ({ seconds: 3, flops: 2, hbmBytes: 3, bound: 'compute' as const })
const exchange = { dispatchSeconds: 1, combineSeconds: 4 }

describe('a layer with 6 s of kernels and 5 s of communication', () => {
  test('waits for all of it at barriers', () => {
    expect(layerTime([call], exchange, 'barrier', timer)).toMatchObject({
      kernelSeconds: 6,
      exposedSeconds: 5,
      seconds: 11,
    })
  })

  test('hides it behind the kernels of the other half of the batch', () => {
    const time = layerTime([call], exchange, 'overlap', timer)
    expect(time).toMatchObject({ kernelSeconds: 12, exposedSeconds: 0, seconds: 12 })
    expect(time.calls[0]?.count).toBe(4)
  })

  test('waits with overlap for what is longer than the kernels', () => {
    const slow = { dispatchSeconds: 5, combineSeconds: 4 }
    expect(layerTime([call], slow, 'overlap', timer).seconds).toBe(18)
  })

  test('leaves it out where it is told to', () => {
    expect(layerTime([call], exchange, 'none', timer).seconds).toBe(6)
  })
})

describe('an iteration', () => {
  const stage = (seconds: number): StageTime => ({
    stage: {
      ...{ stage: 0, layers: 1, denseLayers: 0, expertLayers: 1 },
      ...{ hasEmbedding: false, hasHead: false },
    },
    ...{ calls: [], kernelSeconds: seconds, exposedSeconds: 0, seconds, layerSeconds: seconds },
  })
  const uneven = [stage(31), stage(30)]

  test('goes at the pace of the slowest stage', () => {
    const { seconds, efficiency, fillSeconds } = iterationTime(uneven, 0, 'exact')
    expect(seconds).toBe(62)
    expect(efficiency).toBeCloseTo(61 / 62, 12)
    expect(fillSeconds).toBe(31)
  })

  test('of equal-moe counts the layers alone', () => {
    expect(iterationTime(uneven, 0, 'equal-moe').seconds).toBe(61)
  })

  test('pays the hand-overs, which a single stage has not', () => {
    expect(iterationTime(uneven, 1, 'exact')).toMatchObject({ seconds: 64, pipelineSeconds: 2 })
    expect(iterationTime(uneven, 1, 'equal-moe').seconds).toBe(62)
    expect(iterationTime([stage(5)], 1, 'exact')).toMatchObject({ seconds: 5, pipelineSeconds: 0 })
  })
})
