import { afterEach, describe, expect, test, vi } from 'vitest'
import { dataflowsOf, type Dataflow } from '#shared/mapping/dataflow.ts'
import { CheckedLatent } from '#shared/models/event/check/checked-latent.ts'
import { JobRows } from '#shared/models/event/check/job-rows.ts'
import { LatentTile } from '#shared/models/event/latent/latent-tile.ts'
import type { Program } from '#shared/models/event/simulator.ts'
import { runCheck } from '#shared/simulate/check-attention.ts'
import { intercept, restoreIntercepted } from '#test/support/intercept.ts'
import { makeCheckInput, makeSmallChip } from '#test/support/make-check-input.ts'

vi.setConfig({ testTimeout: 60_000 })

/** Three chunks of the latent (128, 128, 14) and one of the rope part. */
const latent = {
  variant: 'mla',
  phase: 'decode',
  // Of two groups of 2 x 2 tiles one has a pair, the other a pair and one that is left over.
  batch: 5,
  heads: 3,
  kvHeads: 1,
  queryLength: 1,
  speculativeLength: 5,
  latentDim: 270,
  ropeDim: 16,
  nopeDim: 12,
  valueDim: 9,
  // Three column blocks of 10, the last one ragged.
  kvLength: 27,
} as const

type Changes = Parameters<typeof makeCheckInput>[0]

/** On 4 × 2 tiles where nothing else is said. */
const check = ({ workload, ...changes }: NonNullable<Changes>) => {
  const chip = makeSmallChip(4, 2)
  return runCheck(makeCheckInput({ chip, ...changes, workload: { ...latent, ...workload } })).result
}

const decode = dataflowsOf(latent)
const groups = decode.filter(dataflow => dataflow.startsWith('flat'))
const sound = { passed: true, hazards: 0, rowsNotComputed: 0, rowsNotStored: 0, rowsStoredAgain: 0 }

afterEach(() => {
  restoreIntercepted()
})

describe('absorbed decode of MLA computes attention', () => {
  const kernels = decode.flatMap(dataflow =>
    [false, true].flatMap(causal =>
      [0, 1, 7, latent.kvLength].map(kvLength => ({ dataflow, causal, kvLength })),
    ),
  )

  test.each(kernels)('$dataflow, KV $kvLength, causal $causal', ({ dataflow, ...workload }) => {
    const result = check({ dataflow, workload })
    expect(result).toMatchObject({ ...sound, rowsChecked: 5 * 3 * 5 })
    expect(result.largestRelative).toBeLessThan(1e-12)
  })

  test.each(decode)('%s within the bounds of FP16 and FP8, which are seen', dataflow => {
    for (const kvLength of [9, latent.kvLength]) {
      const fp16 = check({ dataflow, precision: 'fp16', workload: { kvLength } })
      const fp8 = check({ dataflow, precision: 'fp8', workload: { kvLength } })
      expect([fp16.passed, fp8.passed]).toEqual([true, true])
      expect(fp16.largestAbsolute).toBeGreaterThan(2 ** -15)
      expect(fp8.largestAbsolute).toBeGreaterThan(2 ** -8)
    }
  })

  test.each(decode)('%s where K lies transposed, odd meshes, loaders at the edge', dataflow => {
    const chip = makeSmallChip(5, 3)
    const transposed = { ...chip, kernels: { ...chip.kernels, keyTranspose: 'in-memory' as const } }
    for (const mapping of [
      { groupX: 5, groupY: 3, sliceRows: 3, sliceCols: 2 },
      { groupX: 1, groupY: 3, sliceRows: 2, sliceCols: 9 },
      { groupX: 3, groupY: 1, sliceRows: 4, sliceCols: 50 },
    ]) {
      const kernel = { dataflow, chip: transposed, mapping, loaders: 'edge' } as const
      expect(check({ ...kernel, workload: { causal: true } })).toMatchObject(sound)
    }
  })

  test.each([1, 2, 5, 8])('FlatMLA interleaves what it can of %s sequences a group', batch => {
    const mapping = { groupX: 4, groupY: 4, sliceRows: 4, sliceCols: 4 }
    const chip = makeSmallChip(4, 4)
    expect(check({ chip, mapping, workload: { batch } })).toMatchObject(sound)
  })

  test.each([1, 2, 3, 4])('the fair FlashMLA merges the results of %s tiles', groupX => {
    const mapping = { groupX, sliceRows: 4, sliceCols: 6 }
    const workload = { causal: true, kvLength: 17 }
    expect(check({ dataflow: 'flash-mla-fair', mapping, workload })).toMatchObject(sound)
  })
})

describe('prefill of MLA computes attention with two head dimensions', () => {
  const prefill = { ...latent, phase: 'prefill', speculativeLength: 1, queryLength: 29 } as const
  test.each(dataflowsOf(prefill))('%s', dataflow => {
    for (const causal of [false, true]) {
      const workload = { ...prefill, kvHeads: 3, causal }
      expect(check({ dataflow, workload })).toMatchObject(sound)
    }
  })
})

describe('programs of MLA that are wrong are found out', () => {
  function* nothing(): Program {
    yield 0
  }
  const noEffect = () => () => undefined
  const run = (dataflow: Dataflow) => check({ dataflow, workload: { causal: true } })

  test.each(groups)('%s without sharing the row maxima, or the row sums', dataflow => {
    for (const left of ['maximum', 'sum']) {
      intercept(LatentTile.prototype, 'shareState', function* (share, _, at, which) {
        if (which !== left) yield* share(at, which)
      })
      expect(run(dataflow).passed).toBe(false)
      restoreIntercepted()
    }
  })

  test.each(decode)('%s without rescaling O', dataflow => {
    intercept(CheckedLatent.prototype, 'rescale', noEffect)
    const mapping = { groupX: 2, groupY: 2, sliceRows: 6, sliceCols: 2 }
    const result = check({ dataflow, mapping, workload: {} })
    expect(result).toMatchObject({ passed: false, hazards: 0, rowsNotComputed: 0 })
    expect(result.largestRelative).toBeGreaterThan(0.01)
  })

  test.each(decode)('%s without dividing O', dataflow => {
    intercept(CheckedLatent.prototype, 'divide', noEffect)
    expect(run(dataflow)).toMatchObject({ passed: false, hazards: 0 })
  })

  test('FlatMLA with one column block without normalising the scores', () => {
    intercept(CheckedLatent.prototype, 'normalise', noEffect)
    expect(check({ workload: { kvLength: 9 } })).toMatchObject({
      passed: false,
      hazards: 0,
    })
  })

  test.each(decode)('%s without the transposition of K', dataflow => {
    intercept(CheckedLatent.prototype, 'transposeKey', noEffect)
    expect(run(dataflow).passed).toBe(false)
  })

  test.each(decode)('%s that sees one key too many, or one too few', dataflow => {
    for (const shift of [1, -1]) {
      intercept(JobRows.prototype, 'seen', (seen, _, row) => seen(row) + shift)
      expect(run(dataflow).passed).toBe(false)
      restoreIntercepted()
    }
  })

  test('the fair FlashMLA without its merge', () => {
    intercept(CheckedLatent.prototype, 'merge', noEffect)
    const mapping = { groupX: 4, sliceRows: 4, sliceCols: 6 }
    expect(check({ dataflow: 'flash-mla-fair', mapping, workload: {} }).passed).toBe(false)
  })

  test.each(['flat-hc', 'flat-async'] as const)('%s without barriers', dataflow => {
    intercept(LatentTile.prototype, 'barrier', nothing)
    const result = run(dataflow)
    expect(result.passed).toBe(false)
    expect(result.hazards).toBeGreaterThan(0)
  })
})
