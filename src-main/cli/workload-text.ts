import type { WorkloadConfig } from '#shared/schema/workload.ts'
import { headDimensions, sharedHeads } from '#shared/workload/attention.ts'

/** The shape of an attention layer in one line. */
export function workloadText(workload: WorkloadConfig): string {
  const { variant, phase, batch, heads, queryLength, kvLength } = workload
  const kvHeads = sharedHeads(workload)
  const { score, value } = headDimensions(workload)
  const speculation =
    workload.speculativeLength > 1 ? ` x ${String(workload.speculativeLength)} speculated` : ''
  const shape = [
    `${variant} ${phase}`,
    `batch ${String(batch)}`,
    `${String(heads)} heads${kvHeads === heads ? '' : ` (${String(kvHeads)} KV)`}`,
    score === value
      ? `head dimension ${String(score)}`
      : `head dimensions ${String(score)} (scores) and ${String(value)} (output)`,
    `${String(queryLength)}${speculation} query x ${String(kvLength)} KV tokens`,
    workload.dtype,
    workload.causal ? 'causal' : 'no mask',
  ]
  return shape.join(', ')
}
