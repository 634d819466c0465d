import type { WorkloadConfig } from '#shared/schema/workload.ts'

/** The shape of an attention layer in one line. */
export function workloadText(workload: WorkloadConfig): string {
  const { variant, phase, batch, heads, kvHeads, headDim, queryLength, kvLength } = workload
  const speculation =
    workload.speculativeLength > 1 ? ` x ${String(workload.speculativeLength)} speculated` : ''
  const shape = [
    `${variant} ${phase}`,
    `batch ${String(batch)}`,
    `${String(heads)} heads${kvHeads === heads ? '' : ` (${String(kvHeads)} KV)`}`,
    `head dimension ${String(headDim)}`,
    `${String(queryLength)}${speculation} query x ${String(kvLength)} KV tokens`,
    workload.dtype,
    workload.causal ? 'causal' : 'no mask',
  ]
  return shape.join(', ')
}
