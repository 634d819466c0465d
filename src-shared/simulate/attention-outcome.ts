import type { Chip } from '#shared/hardware/chip.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { MappingOverrides } from '#shared/mapping/mapping-overrides.ts'
import { attentionKernel, type AttentionKernel } from '#shared/models/attention/attention-kernel.ts'
import { mapAttention, type MappingProblem } from '#shared/models/attention/attention-mapping.ts'
import type { AttentionWorkload } from '#shared/workload/attention.ts'

export type AttentionOutcome =
  { readonly kind: 'kernel'; readonly kernel: AttentionKernel } | MappingProblem

/** One kernel in the phase engine, or why there is none: for those who compare many. */
export function attentionOutcome(
  dataflow: Dataflow,
  workload: AttentionWorkload,
  overrides: MappingOverrides,
  chip: Chip,
): AttentionOutcome {
  if (workload.variant === 'mla') {
    return {
      kind: 'problem',
      message: 'workload.variant: mla has no model in this version; allowed are mha, gqa and mqa',
    }
  }
  const mapping = mapAttention(dataflow, workload, overrides, chip)
  if (mapping.kind === 'problem') return mapping
  return { kind: 'kernel', kernel: attentionKernel(dataflow, mapping.shape, chip) }
}
