import { MODEL_VERSION } from '#shared/model-version.ts'
import { explainSumma } from '#shared/models/summa/explain-summa.ts'
import { fastestSumma } from '#shared/models/summa/summa-kernel.ts'
import { summaCandidates } from '#shared/models/summa/summa-tiling.ts'
import { summaWarnings } from '#shared/models/summa/summa-warnings.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import type { GemmDocument, GemmInput } from '#shared/schema/gemm-input.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'

/**
 * Simulates one SUMMA GEMM with the phase engine, at once.
 *
 * @throws InfeasibleError where the mapping does not fit the chip
 */
export function estimateGemm(input: GemmInput): GemmDocument {
  const chip = resolveChip(input.chip)
  const candidates = summaCandidates(input.workload, input.mapping, chip)
  if (candidates.kind === 'problem') throw new InfeasibleError(candidates.message)
  const kernel = fastestSumma(candidates.shapes, chip)
  return {
    schemaVersion: SCHEMA_VERSION,
    modelVersion: MODEL_VERSION,
    input,
    result: kernel.result,
    explanation: explainSumma(kernel, chip),
    warnings: summaWarnings(kernel, chip),
  }
}
