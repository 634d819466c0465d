import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { isAbsorbed, type AttentionWorkload } from '#shared/workload/attention.ts'

/** FlatAttention, FlashAttention as it is published, or FlashMLA on all tiles. */
export type DecodeAttention = 'flat' | 'flash' | 'flash-fair'

/** The kernel that a deployment's choice of attention stands for. */
export function decodeDataflow(attention: DecodeAttention, workload: AttentionWorkload): Dataflow {
  if (attention === 'flat') return 'flat-async'
  if (!isAbsorbed(workload)) return 'fa3'
  return attention === 'flash' ? 'flash-mla' : 'flash-mla-fair'
}
