import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import type { WorkloadConfig } from '#shared/schema/workload.ts'

/** One head of a square prefill in FP16, with some fields replaced. */
export const makeWorkload = (changes: Partial<WorkloadConfig> = {}): WorkloadConfig => ({
  schemaVersion: SCHEMA_VERSION,
  name: 'One head',
  variant: 'mha',
  phase: 'prefill',
  batch: 1,
  heads: 1,
  kvHeads: 1,
  headDim: 128,
  queryLength: 4096,
  kvLength: 4096,
  speculativeLength: 1,
  causal: false,
  dtype: 'fp16',
  ...changes,
})
