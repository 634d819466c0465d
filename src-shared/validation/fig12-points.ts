import figure from '#resources/published/fig12-averages-2026.json' with { type: 'json' }
import { gh200Baseline } from '#shared/baselines/gh200.ts'
import { achievedFlopsPerSecond } from '#shared/results/metric.ts'
import type { AttentionResult } from '#shared/results/attention-result.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { resolveWorkload, workloadSchema, type WorkloadConfig } from '#shared/schema/workload.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
import { presetChip } from '#shared/validation/published-input.ts'

/** One shape of Fig. 12 with the faster of the two Flat dataflows with hardware collectives. */
export interface Fig12Point {
  readonly workload: WorkloadConfig
  readonly result: AttentionResult
  /** Useful FLOPs per byte of HBM traffic above the ridge of the chip, or below it. */
  readonly label: 'compute' | 'memory'
  /** Useful throughput over that measured on a GH200; undefined where it was not measured. */
  readonly speedUp: number | undefined
}

/** The shapes of the figure, as the rows of the file give them. */
export const fig12Workloads = (): WorkloadConfig[] =>
  figure.rows.map(row => {
    const [variant, phase, batch, heads, kvHeads, headDim, length, speculativeLength] = row
    return workloadSchema.parse({
      schemaVersion: SCHEMA_VERSION,
      name: `Fig. 12, ${row.join(' ')}`,
      variant,
      phase,
      batch,
      heads,
      kvHeads,
      headDim,
      queryLength: phase === 'prefill' ? length : 1,
      kvLength: length,
      speculativeLength,
      causal: false,
      dtype: 'fp16',
    })
  })

/** The points that the models can compute, on the chip with two HBM stacks and automatic mapping. */
export const fig12Points = (): Fig12Point[] =>
  fig12Workloads().flatMap(workload => {
    const result = bestFlat(workload)
    return result === undefined ? [] : [fig12Point(workload, result)]
  })

function fig12Point(workload: WorkloadConfig, result: AttentionResult): Fig12Point {
  const ridge = result.peakFlopsPerSecond / result.peakHbmBytesPerSecond
  const known = gh200Baseline(resolveWorkload(workload))
  return {
    workload,
    result,
    label: result.arithmeticIntensity > ridge ? 'compute' : 'memory',
    speedUp:
      known.kind === 'measured'
        ? achievedFlopsPerSecond(result) / (known.tflops * 1e12)
        : undefined,
  }
}

function bestFlat(workload: WorkloadConfig): AttentionResult | undefined {
  const results = (['flat-hc', 'flat-async'] as const).flatMap(dataflow => {
    const document = feasible(() =>
      estimateAttention({
        kind: 'attention',
        engine: 'phase',
        chip: presetChip('flat-2026-4tb'),
        dataflow,
        mapping: {},
        workload,
      }),
    )
    return document === undefined ? [] : [document.result]
  })
  return results.toSorted((a, b) => a.seconds - b.seconds).at(0)
}

/** A variant without a model, or a shape that does not fit, is no point. */
function feasible(estimate: () => AttentionDocument): AttentionDocument | undefined {
  try {
    return estimate()
  } catch (error) {
    if (error instanceof InfeasibleError) return undefined
    throw error
  }
}
