import deepSeek from '#resources/published/gemm-deepseek-2025.json' with { type: 'json' }
import h100 from '#resources/published/gemm-h100-2025.json' with { type: 'json' }
import h800 from '#resources/published/gemm-h800-2025.json' with { type: 'json' }
import type { GemmResult } from '#shared/results/gemm-result.ts'
import type { ChipConfig } from '#shared/schema/chip.ts'
import type { Engine } from '#shared/schema/engine-field.ts'
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
  engine: Engine,
  chip: ChipConfig,
  [m, n, k, batch]: readonly number[],
  dtype: 'fp16' | 'fp8',
  mapping: GemmInput['mapping'] = {},
): GemmResult {
  const workload = { m: m ?? 0, n: n ?? 0, k: k ?? 0, batch: batch ?? 1, dtype }
  return estimateGemm({ kind: 'gemm', engine, chip, workload, mapping }).result
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

/** SUMMA against runs of the reference simulator and against published figures, with one engine. */
export function validateGemm(engine: Engine): ValidationSet[] {
  const name = (...sides: readonly number[]) => sides.map(String).join(' x ')
  const isEvent = engine === 'event'
  const id = (set: string) => `gemm-${set}${isEvent ? '-event' : ''}-2025`
  const title = (text: string) => `${text}${isEvent ? ', event engine' : ''}`
  return [
    ...validateGemmRuns(engine),
    validationSet({
      id: id('deepseek'),
      title: title('GEMMs of a DeepSeek-v3 decode layer, automatic tiling'),
      source: deepSeek.source,
      target: isEvent
        ? { meanAbsoluteError: 0.08, largestError: 0.15 }
        : { meanAbsoluteError: 0.1, largestError: 0.3 },
      rows: deepSeek.rows.map(row => {
        const [m = 0, n = 0, k = 0, batch = 1, published = 0] = row.slice(1).map(Number)
        const result = simulate(engine, presetChip('flat-2026-fp8'), [m, n, k, batch], 'fp8')
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
      id: id('h100'),
      title: title('GEMM on the chip of 2025: matrix utilisation'),
      source: h100.source,
      target: { meanAbsoluteError: 0.05, largestError: 0.05 },
      rows: h100.rows.map(([m = 0, n = 0, k = 0, published = 0]) =>
        comparedInPoints(
          name(m, n, k),
          simulate(engine, presetChip('flat-2025'), [m, n, k], 'fp16').matrixUtilization * 100,
          published,
        ),
      ),
    }),
    validationSet({
      id: id('h800'),
      title: title('FP8 GEMM on an engine of 64 x 16: matrix utilisation'),
      source: h800.source,
      target: { meanAbsoluteError: 0.05, largestError: 0.075 },
      rows: h800.rows.map(([m = 0, n = 0, k = 0, published = 0]) =>
        comparedInPoints(
          `${name(m, n, k)}, tiles of 128 x 128`,
          tunedUtilization(engine, [m, n, k]) * 100,
          (published / h800.peakTflops) * 100,
        ),
      ),
    }),
  ]
}

/**
 * The mapping of the generated kernels is not published: tiles of the public kernel's size are taken,
 * with the steps that fit in L1 and are the fastest in the phase engine.
 */
function tunedUtilization(engine: Engine, sides: readonly number[]): number {
  const utilization = (one: Engine, tileK: number) =>
    simulate(one, chipOf2048Tflops(), sides, 'fp8', { tileM: 128, tileN: 128, tileK })
      .matrixUtilization
  const [best = 0] = [128, 256, 512].toSorted(
    (a, b) => utilization('phase', b) - utilization('phase', a),
  )
  return utilization(engine, best)
}
