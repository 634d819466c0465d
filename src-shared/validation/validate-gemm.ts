import deepSeek from '#resources/published/gemm-deepseek-2025.json' with { type: 'json' }
import h100 from '#resources/published/gemm-h100-2025.json' with { type: 'json' }
import h800 from '#resources/published/gemm-h800-2025.json' with { type: 'json' }
import type { GemmResult } from '#shared/results/gemm-result.ts'
import type { ChipConfig } from '#shared/schema/chip.ts'
import type { GemmInput } from '#shared/schema/gemm-input.ts'
import { estimateGemm } from '#shared/simulate/run-gemm.ts'
import { presetChip } from '#shared/validation/published-input.ts'
import { validateGemmRuns } from '#shared/validation/validate-gemm-runs.ts'
import {
  compared,
  comparedInPoints,
  validationSet,
  type ValidationSet,
} from '#shared/validation/validation-set.ts'

function simulate(
  chip: ChipConfig,
  [m, n, k, batch]: readonly number[],
  dtype: 'fp16' | 'fp8',
  mapping: GemmInput['mapping'] = {},
): GemmResult {
  const workload = { m: m ?? 0, n: n ?? 0, k: k ?? 0, batch: batch ?? 1, dtype }
  return estimateGemm({ kind: 'gemm', engine: 'phase', chip, workload, mapping }).result
}

/** 32 × 32 tiles with an engine of 64 × 16 at 1 GHz and 3.4 TB/s, as the slide describes it. */
function chipOf2048Tflops(): ChipConfig {
  const chip = presetChip('flat-2026-fp8')
  return {
    ...chip,
    name: '32 x 32 tiles, engine 64 x 16, 3.4 TB/s',
    clockGHz: 1,
    matrixEngine: { ...chip.matrixEngine, height: 64 },
    hbm: { ...chip.hbm, channelGBps: 53.78 },
  }
}

/** SUMMA against runs of the reference simulator and against published figures. */
export function validateGemm(): ValidationSet[] {
  const name = (...sides: readonly number[]) => sides.map(String).join(' x ')
  return [
    ...validateGemmRuns(),
    validationSet({
      id: 'gemm-deepseek-2025',
      title: 'GEMMs of a DeepSeek-v3 decode layer, automatic tiling',
      source: deepSeek.source,
      target: { meanAbsoluteError: 0.1, largestError: 0.3 },
      rows: deepSeek.rows.map(row => {
        const [m = 0, n = 0, k = 0, batch = 1, published = 0] = row.slice(1).map(Number)
        const result = simulate(presetChip('flat-2026-fp8'), [m, n, k, batch], 'fp8')
        const products = batch === 1 ? '' : `, ${String(batch)} products`
        return compared(
          `${String(row[0])}, ${name(m, n, k)}${products}`,
          'µs',
          result.seconds * 1e6,
          published,
        )
      }),
    }),
    validationSet({
      id: 'gemm-h100-2025',
      title: 'GEMM on the chip of 2025: matrix utilisation',
      source: h100.source,
      target: { meanAbsoluteError: 0.05, largestError: 0.05 },
      rows: h100.rows.map(([m = 0, n = 0, k = 0, published = 0]) =>
        comparedInPoints(
          name(m, n, k),
          simulate(presetChip('flat-2025'), [m, n, k], 'fp16').matrixUtilization * 100,
          published,
        ),
      ),
    }),
    validationSet({
      id: 'gemm-h800-2025',
      title: 'FP8 GEMM on an engine of 64 x 16: matrix utilisation',
      source: h800.source,
      target: { meanAbsoluteError: 0.05, largestError: 0.075 },
      rows: h800.rows.map(([m = 0, n = 0, k = 0, published = 0]) =>
        comparedInPoints(
          `${name(m, n, k)}, tiles of 128 x 128`,
          tunedUtilization([m, n, k]) * 100,
          (published / h800.peakTflops) * 100,
        ),
      ),
    }),
  ]
}

/**
 * The mapping of the generated kernels is not published: tiles of the public kernel's size are taken,
 * with the fastest of the steps that fit in L1.
 */
const tunedUtilization = (sides: readonly number[]): number =>
  Math.max(
    ...[128, 256, 512].map(
      tileK =>
        simulate(chipOf2048Tflops(), sides, 'fp8', { tileM: 128, tileN: 128, tileK })
          .matrixUtilization,
    ),
  )
