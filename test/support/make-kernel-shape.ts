import type { Chip } from '#shared/hardware/chip.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { MappingOverrides } from '#shared/mapping/mapping-overrides.ts'
import { mapAttention } from '#shared/models/attention/attention-mapping.ts'
import type { ClosedRows } from '#shared/models/attention/closed-rows.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import type { WorkloadConfig } from '#shared/schema/workload.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

/**
 * A kernel as the mapping cuts it.
 *
 * @throws Error where the mapping is impossible: a mistake in the test
 */
export function makeKernelShape(
  dataflow: Dataflow,
  workload: Partial<WorkloadConfig>,
  overrides: MappingOverrides,
  chip: Chip,
): KernelShape {
  const outcome = mapAttention(dataflow, makeWorkload(workload), overrides, chip)
  if (outcome.kind === 'problem') throw new Error(outcome.message)
  return outcome.shape
}

/** Every load finds its row of memory closed. */
export const ALL_CLOSED: ClosedRows = { query: 1, key: 1, value: 1 }
