import type { ReadText } from '#main/cli/read-text.ts'
import { number, resolveParts, withNames, type DecodeOptions } from '#main/cli/resolve-decode.ts'
import { UsageError } from '#main/cli/usage-error.ts'
import { decodeAttentions } from '#shared/schema/deployment.ts'
import { issueLines } from '#shared/schema/issue-text.ts'
import { planInputSchema, type PlanInput } from '#shared/schema/plan-input.ts'

/** The options of a search: of a deployment those that are not searched, and lists of the others. */
export interface PlanOptions extends Omit<
  DecodeOptions,
  'batch' | 'ep' | 'pp' | 'attention' | 'ignoreCapacity'
> {
  readonly batches: string
  readonly ep?: string
  readonly pp?: string
  readonly attention: string
  readonly sloMs?: string
  readonly minThroughput?: string
}

/**
 * The fully resolved search that the options ask for.
 *
 * @param read reads files; injected by tests
 * @throws UsageError that names each field that is wrong, its value and what is allowed
 */
export async function resolvePlan(options: PlanOptions, read?: ReadText): Promise<PlanInput> {
  const { batches, ep, pp, attention, sloMs, minThroughput, ...others } = options
  const expertParallel = ep === undefined ? undefined : numbers('ep', ep)
  const pipelineParallel = pp === undefined ? undefined : numbers('pp', pp)
  const parts = await resolveParts({ ...others, batch: '1', attention: 'flat' }, read)
  const candidate = {
    kind: 'plan',
    engine: 'phase',
    ...parts,
    search: {
      batches: numbers('batches', batches),
      ...(expertParallel === undefined ? {} : { expertParallel }),
      ...(pipelineParallel === undefined ? {} : { pipelineParallel }),
      attentions: attention === 'all' ? [...decodeAttentions] : [attention],
      ...(sloMs === undefined ? {} : { sloMs: number('slo-ms', sloMs) }),
      ...(minThroughput === undefined
        ? {}
        : { minTokensPerSecondPerChip: number('min-throughput', minThroughput) }),
    },
  }
  const checked = planInputSchema.safeParse(candidate)
  if (checked.success) return withNames(checked.data)
  throw new UsageError(issueLines(checked.error, candidate, { schema: planInputSchema }).join('\n'))
}

const numbers = (option: string, text: string): number[] =>
  text.split(',').map(part => number(option, part.trim()))
