import { describe, expect, test } from 'vitest'
import type { DeploymentConfig } from '#shared/schema/deployment.ts'
import { decodeCache, estimateDecode } from '#shared/simulate/run-decode.ts'
import { publishedDeployment } from '#shared/validation/validate-deployment.ts'

const cache = decodeCache()
const simulate = (change: Partial<DeploymentConfig> = {}) =>
  estimateDecode(publishedDeployment('wafer-1tb', change), cache)

describe('EP32-PP2 at batch 256', () => {
  const { result, explanation, warnings } = simulate()

  test('kernels of a stage share its time; with the waits they make its layers', () => {
    for (const stage of [0, 1]) {
      const rows = result.kernels.filter(row => row.stage === stage)
      const layers = result.pipeline.layersPerStage[stage] ?? 0
      expect(rows.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9)
      const kernels = rows.reduce((sum, { seconds }) => sum + seconds, 0)
      expect(kernels / layers + result.communication.exposedSeconds).toBeCloseTo(
        result.layerSeconds,
        12,
      )
    }
  })

  test('an iteration is 61 layers and a hand-over', () => {
    expect(result.iterationSeconds).toBeCloseTo(
      61 * result.layerSeconds + result.communication.pipelineSeconds,
      12,
    )
  })

  test('counts memory on the fullest chip of the fullest stage', () => {
    const { memory } = result
    expect(memory.perStage.map(({ layers }) => layers)).toEqual([31, 30])
    // 31 layers of 300.1 MB and 8 experts of 44.04 MB, and two batches of 256 · 4096 tokens.
    expect(memory.weightsBytes / 1e9).toBeCloseTo(20.2, 1)
    expect(memory.kvCacheBytes).toBe(2 * 256 * 4096 * 576 * 31)
    expect(result.fits).toBe(true)
  })

  test('loads the links of both stages alike', () => {
    const { links, maxLinkBytes } = result.communication
    const places = new Set(links.flatMap(({ from, to }) => [from, to]))
    expect(places.size).toBe(64)
    expect(Math.max(...links.map(({ dispatchBytes }) => dispatchBytes))).toBe(maxLinkBytes)
  })

  test('explains TPOT, throughput and memory, and names its reading of the paper', () => {
    const fields = explanation.map(({ field }) => field)
    expect(fields).toEqual(
      expect.arrayContaining(['tpotSeconds', 'tokensPerSecondPerChip', 'memory.totalBytes']),
    )
    expect(warnings.map(({ message }) => message).join('\n')).toMatch(
      /equal-moe: 61 equal layers[\s\S]*firstTileTimer[\s\S]*downProjectionLikeUp/,
    )
  })
})

describe('the model as it is', () => {
  const exact = simulate({ layers: 'exact' }).result

  test('has dense layers, head and drafts in their stages', () => {
    const stagesOf = (name: string) =>
      exact.kernels.filter(row => row.name === name).map(({ stage, count }) => [stage, count])
    expect(stagesOf('dense-up')).toEqual([[0, 3]])
    expect(stagesOf('head')).toEqual([[1, 1]])
    expect(stagesOf('draft: head')).toEqual([[1, 1]])
  })

  test('goes at the pace of the slowest stage', () => {
    const slowest = Math.max(...exact.pipeline.stageSeconds)
    expect(exact.iterationSeconds).toBeCloseTo(
      2 * slowest + exact.communication.pipelineSeconds,
      12,
    )
  })

  test('computes a row more for each draft, so that an iteration costs more with each', () => {
    const rows = [1, 2, 3, 4].map(speculativeLength => simulate({ speculativeLength }).result)
    const flops = rows.map(({ kernels }) =>
      kernels
        .filter(({ name }) => name === 'query-projection')
        .reduce((sum, row) => sum + row.flops, 0),
    )
    expect(flops.map(count => count / (flops[0] ?? 0))).toEqual([1, 2, 3, 4])
    const times = rows.map(({ iterationSeconds }) => iterationSeconds)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(new Set(times).size).toBe(4)
  })

  test('pays for drafts with more than one token', () => {
    const one = simulate({ layers: 'exact', speculativeLength: 1 }).result
    expect(one.kernels.some(({ name }) => name.startsWith('draft'))).toBe(false)
    expect(exact.iterationSeconds).toBeGreaterThan(one.iterationSeconds)
  })
})

describe('communication', () => {
  test('of one chip is nothing', () => {
    const { communication } = simulate({
      ...{ expertParallel: 1, pipelineParallel: 61, batchPerChip: 8 },
    }).result
    expect(communication).toMatchObject({ dispatchSeconds: 0, combineSeconds: 0, links: [] })
  })

  test('that is left out leaves the kernels', () => {
    const none = simulate({ communication: 'none' }).result
    expect(none.communication).toMatchObject({ exposedSeconds: 0, pipelineSeconds: 0 })
    expect(none.tpotSeconds).toBeLessThan(simulate().result.tpotSeconds)
  })
})

describe('a cache of latents', () => {
  const one = { batchPerChip: 1, pipelineParallel: 1, speculativeLength: 1, ignoreCapacity: true }

  test.each([1, 2, 4, 8])(
    'is as large on each of %i chips that share a layer, each with sequences of its own',
    expertParallel => {
      const { memory, sequencesInFlight, pipeline } = simulate({ ...one, expertParallel }).result
      expect(memory.kvCacheBytes).toBe(143_917_056)
      expect(sequencesInFlight / pipeline.replicas).toBe(expertParallel)
    },
  )
})

test('every dimension of a split multiplies the chips', () => {
  for (const expertParallel of [1, 4, 32]) {
    for (const pipelineParallel of [1, 2]) {
      const change = { expertParallel, pipelineParallel, batchPerChip: 2, ignoreCapacity: true }
      const { pipeline, sequencesInFlight } = simulate(change).result
      const chips = expertParallel * pipelineParallel * pipeline.replicas
      expect(chips + pipeline.idleChips).toBe(64)
      expect(sequencesInFlight).toBe(2 * chips)
    }
  }
})

test('chips in no stage count in the throughput per chip', () => {
  const { result, warnings } = simulate({
    ...{ expertParallel: 1, pipelineParallel: 61, batchPerChip: 8 },
  })
  expect(result.pipeline.idleChips).toBe(3)
  expect(result.tokensPerSecondPerChip).toBeCloseTo(result.systemTokensPerSecond / 64, 9)
  expect(result.tokensPerSecondPerBusyChip).toBeCloseTo(result.systemTokensPerSecond / 61, 9)
  expect(warnings.map(({ code }) => code)).toContain('idle-chips')
})

describe('memory', () => {
  const tooMuch = { expertParallel: 1, pipelineParallel: 61, batchPerChip: 2048 } as const

  test('refuses what does not fit, and names what does', () => {
    expect(() => simulate(tooMuch)).toThrow(
      /^deployment: does not fit, 157\.6 GiB are missing .* batchPerChip 873, or kvLength 1744/,
    )
    expect(simulate({ ...tooMuch, batchPerChip: 873 }).result.fits).toBe(true)
    expect(() => simulate({ ...tooMuch, batchPerChip: 874 })).toThrow(/does not fit/)
    expect(simulate({ ...tooMuch, kvLength: 1744 }).result.fits).toBe(true)
  })

  test('times it all the same where capacity is ignored', () => {
    const { result, warnings } = simulate({ ...tooMuch, ignoreCapacity: true })
    expect(result.fits).toBe(false)
    expect(result.memory.missingBytes).toBeGreaterThan(157 * 2 ** 30)
    expect(warnings.map(({ code }) => code)).toContain('memory-capacity')
  })
})
