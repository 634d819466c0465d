import { MODEL_VERSION } from '#shared/model-version.ts'
import { attentionKernel } from '#shared/models/attention/attention-kernel.ts'
import { mapAttention } from '#shared/models/attention/attention-mapping.ts'
import { attentionWarnings } from '#shared/models/attention/attention-warnings.ts'
import { explainAttention } from '#shared/models/attention/explain-attention.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { resolveWorkload } from '#shared/schema/workload.ts'
import { InfeasibleError, type Simulation } from '#shared/simulate/simulation.ts'

/**
 * Simulates one attention kernel with the phase engine, at once.
 *
 * @throws InfeasibleError where the mapping does not fit the chip, or the variant has no model yet
 */
export function estimateAttention(input: AttentionInput): AttentionDocument {
  const simulation = runAttention(input)
  for (;;) {
    const step = simulation.next()
    if (step.done === true) return step.value
  }
}

/**
 * The same as a simulation that can be watched and dropped between its steps.
 *
 * @throws InfeasibleError as above
 */
export function* runAttention(input: AttentionInput): Simulation<AttentionDocument> {
  const total = 3
  yield { phase: 'mapping', done: 0, total }
  const chip = resolveChip(input.chip)
  const workload = resolveWorkload(input.workload)
  if (workload.variant === 'mla') {
    throw new InfeasibleError(
      'workload.variant: mla has no model in this version; allowed are mha, gqa and mqa',
    )
  }
  const mapping = mapAttention(input.dataflow, workload, input.mapping, chip)
  if (mapping.kind === 'problem') throw new InfeasibleError(mapping.message)

  yield { phase: 'phases', done: 1, total }
  const kernel = attentionKernel(input.dataflow, mapping.shape, chip)

  yield { phase: 'explanation', done: 2, total }
  return {
    schemaVersion: SCHEMA_VERSION,
    modelVersion: MODEL_VERSION,
    input,
    result: kernel.result,
    explanation: explainAttention(input.dataflow, kernel, chip),
    warnings: attentionWarnings(input.dataflow, kernel, chip),
  }
}
