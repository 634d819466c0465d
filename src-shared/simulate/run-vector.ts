import { MODEL_VERSION } from '#shared/model-version.ts'
import { explainVector } from '#shared/models/vector/explain-vector.ts'
import { vectorKernel } from '#shared/models/vector/vector-kernel.ts'
import { vectorWarnings } from '#shared/models/vector/vector-warnings.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import {
  resolveVector,
  type VectorDocument,
  type VectorInput,
} from '#shared/schema/vector-input.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
import { vectorL1Bytes } from '#shared/workload/vector.ts'

/**
 * Simulates one vector kernel with the phase engine, at once.
 *
 * @throws InfeasibleError where the buffers of a token do not fit in L1
 */
export function estimateVector(input: VectorInput): VectorDocument {
  const chip = resolveChip(input.chip)
  const workload = resolveVector(input.workload)
  const needed = vectorL1Bytes(workload)
  if (needed > chip.l1.capacity) {
    const { kernel, width, topK, dtype } = workload
    const field = kernel === 'dispatch' ? 'topK' : 'width'
    throw new InfeasibleError(
      `workload.${field}: a token of ${kernel} with ${field} ${String(kernel === 'dispatch' ? topK : width)} in ${dtype} ` +
        `needs ${String(needed)} bytes of L1, but chip.l1.capacityKiB gives ${String(chip.l1.capacity)}`,
    )
  }
  const kernel = vectorKernel(workload, input.timing, chip)
  return {
    schemaVersion: SCHEMA_VERSION,
    modelVersion: MODEL_VERSION,
    input,
    result: kernel.result,
    explanation: explainVector(kernel, chip),
    warnings: vectorWarnings(kernel, chip),
  }
}
