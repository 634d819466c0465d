import { describe, expect, test } from 'vitest'
import type { GemmInput } from '#shared/schema/gemm-input.ts'
import { estimateGemm } from '#shared/simulate/run-gemm.ts'
import { makeHbm, makeNewDesign } from '#test/support/make-chip.ts'
import { makeGemmInput } from '#test/support/make-gemm-input.ts'

const full = { m: 4096, n: 4096, k: 4096 }
const warnings = (changes: Parameters<typeof makeGemmInput>[0]) =>
  estimateGemm(makeGemmInput({ chip: makeNewDesign(), workload: full, ...changes })).warnings

describe('warnings', () => {
  test('there are none where the shape fills a new chip', () => {
    expect(warnings({})).toEqual([])
  })

  test.each<[string, Partial<GemmInput['workload']>, GemmInput['chip'], RegExp]>([
    [
      'padded-shape',
      { ...full, m: 4001 },
      makeNewDesign(),
      /^0\.8 % more FLOPs .* padding of ragged blocks$/,
    ],
    [
      'idle-tiles',
      { m: 128, n: 128, k: 127 },
      makeNewDesign(),
      /^1023 of 1024 tiles have no work: 1 active groups of 1 × 1$/,
    ],
    [
      'memory-capacity',
      { ...full, m: 8192 },
      makeNewDesign({ hbm: makeHbm({ south: 32 }, { capacityGiB: 0.1 }) }),
      /^X, W and Z take 160 MiB, more than the .* of HBM$/,
    ],
    [
      'outside-validated-regime',
      full,
      makeNewDesign({ hbm: makeHbm({ west: 32 }) }),
      /memory that is not on the south edge/,
    ],
    [
      'outside-validated-regime',
      { ...full, k: 8 },
      makeNewDesign(),
      /rows of 16 B, under a quarter of a flit/,
    ],
  ])('%s', (code, workload, chip, message) => {
    const list = warnings({ workload, chip })
    const found = list.find(warning => warning.code === code)
    expect(found?.message ?? 'no such warning').toMatch(message)
  })

  test('reference-artefact, in FP16 only', () => {
    const codes = (dtype: 'fp16' | 'fp8') =>
      estimateGemm(makeGemmInput({ workload: { ...full, dtype } })).warnings.map(({ code }) => code)
    expect(codes('fp16')).toEqual(['reference-artefact'])
    expect(codes('fp8')).toEqual([])
  })
})
