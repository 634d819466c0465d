import type { Chip } from '#shared/hardware/chip.ts'
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
import type { EventRun, EventWatch } from '#shared/simulate/event-run.ts'
import { runEventVector } from '#shared/simulate/run-event-vector.ts'
import { finish, InfeasibleError, type Simulation } from '#shared/simulate/simulation.ts'
import { vectorL1Bytes, type VectorWorkload } from '#shared/workload/vector.ts'

/**
 * Simulates one vector kernel at once; with the event engine that may take seconds.
 *
 * @throws InfeasibleError where the buffers of a token do not fit in L1
 */
export const estimateVector = (input: VectorInput): VectorDocument =>
  finish(runVector(input)).document

/**
 * The same as a simulation that can be watched and dropped between its steps.
 *
 * @param watch what is to be watched in the event engine
 * @throws InfeasibleError as above
 */
export function* runVector(
  input: VectorInput,
  watch: EventWatch = {},
): Simulation<EventRun<VectorDocument>> {
  yield { phase: 'phases', done: 0, total: 1 }
  const chip = resolveChip(input.chip)
  const workload = resolveVector(input.workload)
  checkThatTokenFits(workload, chip)
  const kernel = vectorKernel(workload, input.timing, chip)
  const common = { schemaVersion: SCHEMA_VERSION, modelVersion: MODEL_VERSION, input }
  const warnings = vectorWarnings(kernel, chip)
  if (input.engine === 'phase') {
    const { result } = kernel
    const explanation = explainVector(kernel, chip)
    return { document: { ...common, result, explanation, warnings }, timeline: [] }
  }
  const { timeline, ...outcome } = yield* runEventVector(kernel, chip, watch)
  return {
    document: { ...common, ...outcome, warnings: [...warnings, ...outcome.warnings] },
    timeline,
  }
}

function checkThatTokenFits(workload: VectorWorkload, chip: Pick<Chip, 'l1'>): void {
  const needed = vectorL1Bytes(workload)
  if (needed <= chip.l1.capacity) return
  const { kernel, width, topK, dtype } = workload
  const field = kernel === 'dispatch' ? 'topK' : 'width'
  throw new InfeasibleError(
    `workload.${field}: a token of ${kernel} with ${field} ${String(kernel === 'dispatch' ? topK : width)} in ${dtype} ` +
      `needs ${String(needed)} bytes of L1, but chip.l1.capacityKiB gives ${String(chip.l1.capacity)}`,
  )
}
