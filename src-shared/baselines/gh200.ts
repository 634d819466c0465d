import measured from '#resources/published/gh200-flashattention3-prefill.json' with { type: 'json' }
import type { AttentionWorkload } from '#shared/workload/attention.ts'

/** FlashAttention-3 on a GH200, measured; never extrapolated. */
export interface Gh200Point {
  readonly headDim: number
  readonly length: number
  readonly tflops: number
}

export const gh200 = {
  title: measured.title,
  source: measured.source,
  peakTflops: measured.peakTflops,
  peakHbmTBps: measured.peakHbmTBps,
  points: measured.rows satisfies Gh200Point[],
}

/** The measured point of the same shape, where there is one. */
export function gh200PointFor(workload: AttentionWorkload): Gh200Point | undefined {
  const comparable =
    workload.variant === measured.variant &&
    workload.phase === measured.phase &&
    workload.dtype === measured.dtype &&
    workload.causal === measured.causal &&
    workload.queryLength === workload.kvLength &&
    workload.speculativeLength === 1
  if (!comparable) return undefined
  return gh200.points.find(
    point => point.headDim === workload.headDim && point.length === workload.kvLength,
  )
}
