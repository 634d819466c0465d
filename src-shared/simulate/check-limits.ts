import type { Chip } from '#shared/hardware/chip.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { MappingOverrides } from '#shared/mapping/mapping-overrides.ts'
import { mapAttention } from '#shared/models/attention/attention-mapping.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { CHECK_LIMITS, checkCost, exceededLimit } from '#shared/models/event/check/check-cost.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
import { formatBytes, formatCount, formatFlops } from '#shared/units/format.ts'
import { queryPositions, type AttentionWorkload } from '#shared/workload/attention.ts'

const limitTexts = {
  flops: formatFlops,
  bytes: formatBytes,
  tileBlocks: (count: number) => formatCount(count, 'column blocks of tiles'),
}

const bufferSets = (dataflow: Dataflow): 1 | 2 => (dataflow === 'flat-async' ? 2 : 1)

/**
 * The mapping of a kernel that is small enough to be executed on real numbers.
 *
 * @throws InfeasibleError where the mapping does not fit, or the kernel is too large; the message has
 *   the limit and the largest shape that would be allowed
 */
export function mapForCheck(
  dataflow: Dataflow,
  workload: AttentionWorkload,
  mapping: MappingOverrides,
  chip: Chip,
): KernelShape {
  const outcome = mapAttention(dataflow, workload, mapping, chip)
  if (outcome.kind === 'problem') throw new InfeasibleError(outcome.message)
  const cost = checkCost(outcome.shape, bufferSets(dataflow))
  const exceeded = exceededLimit(cost)
  if (exceeded === undefined) return outcome.shape

  const isAllowed = (candidate: AttentionWorkload) => {
    const smaller = mapAttention(dataflow, candidate, mapping, chip)
    return (
      smaller.kind === 'shape' &&
      exceededLimit(checkCost(smaller.shape, bufferSets(dataflow))) === undefined
    )
  }
  const text = limitTexts[exceeded]
  throw new InfeasibleError(
    `workload: a check executes at most ${text(CHECK_LIMITS[exceeded])}, padding included, but this ` +
      `kernel takes ${text(cost[exceeded])}; ${allowedShape(workload, isAllowed)}`,
  )
}

/** The largest batch that is allowed, or, where a single sequence is too much, the longest one. */
function allowedShape(
  workload: AttentionWorkload,
  isAllowed: (candidate: AttentionWorkload) => boolean,
): string {
  const batch = largest(workload.batch, count => isAllowed({ ...workload, batch: count }))
  if (batch > 0)
    return `with the other fields as they are, a batch of up to ${String(batch)} is allowed`
  const single = { ...workload, batch: 1 }
  const cutTo = (length: number): AttentionWorkload => ({
    ...single,
    queryLength: Math.min(workload.queryLength, length),
    kvLength: Math.min(workload.kvLength, length),
  })
  const longest = Math.max(queryPositions(workload), workload.kvLength)
  const length = largest(longest, candidate => isAllowed(cutTo(candidate)))
  if (length > 0) {
    const cut = cutTo(length)
    return (
      'with the other fields as they are, allowed are ' +
      `batch 1, queryLength ${String(cut.queryLength)} and kvLength ${String(cut.kvLength)}`
    )
  }
  return 'no length is allowed with these heads, this head dimension and this mapping: use fewer tiles'
}

/** The largest number up to `most` for which a condition holds that small numbers fulfil, or 0. */
function largest(most: number, holds: (candidate: number) => boolean): number {
  let low = 0
  let high = most
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (holds(middle)) low = middle
    else high = middle - 1
  }
  return low
}
