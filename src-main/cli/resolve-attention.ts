import { groupMapping } from '#main/cli/group-option.ts'
import { applyOverride } from '#main/cli/override.ts'
import { readConfiguration } from '#main/cli/read-configuration.ts'
import type { ReadText } from '#main/cli/read-text.ts'
import { UsageError } from '#main/cli/usage-error.ts'
import { withHonestName } from '#shared/presets/edited-name.ts'
import { chipPresets, workloadPresets } from '#shared/presets/presets.ts'
import { attentionRequestSchema, type AttentionRequest } from '#shared/schema/attention-input.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import { issueLines } from '#shared/schema/issue-text.ts'
import { mappingSchema } from '#shared/schema/mapping.ts'
import { workloadSchema } from '#shared/schema/workload.ts'

/** The options of the command line that make up an input. */
export interface AttentionOptions {
  readonly chip: string
  readonly workload: string
  readonly dataflow: string
  readonly group: string
  readonly set: readonly string[]
  readonly engine: string
  readonly loaders?: string
}

const parts = { chip: chipSchema, workload: workloadSchema, mapping: mappingSchema }

/**
 * The fully resolved input that the options ask for.
 *
 * @param read reads files; injected by tests
 * @throws UsageError that names each field that is wrong, its value and what is allowed
 */
export async function resolveAttention(
  options: AttentionOptions,
  read?: ReadText,
): Promise<AttentionRequest> {
  if (options.chip === '-' && options.workload === '-') {
    throw new UsageError('--chip - and --workload -: only one of them can be standard input')
  }
  const given = {
    chip: await readConfiguration(options.chip, 'chip', chipPresets, read),
    workload: await readConfiguration(options.workload, 'workload', workloadPresets, read),
    mapping: groupMapping(options.group),
  }
  const overridden = options.set.reduce<Record<string, unknown>>(
    (target, assignment) => applyOverride(target, assignment, parts),
    given,
  )
  const candidate = {
    kind: 'attention',
    engine: options.engine,
    ...(options.loaders === undefined ? {} : { loaders: options.loaders }),
    dataflow: options.dataflow,
    ...overridden,
  }
  const parsed = attentionRequestSchema.safeParse(candidate)
  if (parsed.success) {
    return {
      ...parsed.data,
      chip: withHonestName(parsed.data.chip, chipPresets),
      workload: withHonestName(parsed.data.workload, workloadPresets),
    }
  }
  throw new UsageError(
    issueLines(parsed.error, candidate, { schema: attentionRequestSchema }).join('\n'),
  )
}
