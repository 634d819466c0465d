import { MODEL_VERSION } from '#shared/model-version.ts'
import { collectiveKernel } from '#shared/models/collectives/collective-kernel.ts'
import { collectiveWarnings } from '#shared/models/collectives/collective-warnings.ts'
import { explainCollective } from '#shared/models/collectives/explain-collective.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import {
  resolveCollective,
  type CollectiveDocument,
  type CollectiveInput,
} from '#shared/schema/collective-input.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'

/** Simulates one collective with the phase engine, at once: a formula needs no steps to watch. */
export function estimateCollective(input: CollectiveInput): CollectiveDocument {
  const chip = resolveChip(input.chip)
  const collective = resolveCollective(input.collective)
  const result = collectiveKernel(collective, chip)
  return {
    schemaVersion: SCHEMA_VERSION,
    modelVersion: MODEL_VERSION,
    input,
    result,
    explanation: explainCollective(collective, result, chip),
    warnings: collectiveWarnings(collective, chip),
  }
}
