import type { Chip } from '#shared/hardware/chip.ts'
import type { MappingOverrides } from '#shared/mapping/mapping-overrides.ts'
import { isFlash, unsupportedDataflow, type Dataflow } from '#shared/mapping/dataflow.ts'
import { attentionKernel, type AttentionKernel } from '#shared/models/attention/attention-kernel.ts'
import { groupProblem, mapAttention } from '#shared/models/attention/attention-mapping.ts'
import type { MappingProblem } from '#shared/models/attention/cut-kernel.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
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
  const unsupported = unsupportedDataflow(dataflow, workload)
  if (unsupported !== undefined) return { kind: 'problem', message: unsupported }
  const mapping = mapAttention(dataflow, workload, overrides, chip)
  if (mapping.kind === 'problem') return mapping
  return { kind: 'kernel', kernel: attentionKernel(dataflow, mapping.shape, chip) }
}

/**
 * Refuses a group that the chip has not: with several dataflows to choose from, those without groups
 * would win, and nobody would see why.
 *
 * @throws InfeasibleError that names the side
 */
export function checkGroup(
  candidates: readonly Dataflow[],
  overrides: MappingOverrides,
  chip: Chip,
): void {
  const problem = candidates.every(isFlash) ? undefined : groupProblem(overrides, chip)
  if (problem !== undefined) throw new InfeasibleError(problem)
}

/** That nothing can run, with the reason of each dataflow, or the one that they share. */
export function nothingRuns(
  refused: readonly { readonly dataflow: Dataflow; readonly reason: string }[],
): InfeasibleError {
  const [first] = refused
  const isShared = refused.every(({ reason }) => reason === first?.reason)
  if (first !== undefined && isShared) return new InfeasibleError(first.reason)
  const reasons = refused.map(({ dataflow, reason }) => `${dataflow}: ${reason}`)
  return new InfeasibleError(`no dataflow can run this kernel\n${reasons.join('\n')}`)
}
