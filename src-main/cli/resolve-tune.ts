import { groupMapping } from '#main/cli/group-option.ts'
import { applyOverride } from '#main/cli/override.ts'
import { readConfiguration } from '#main/cli/read-configuration.ts'
import type { ReadText } from '#main/cli/read-text.ts'
import { UsageError } from '#main/cli/usage-error.ts'
import { dataflows, dataflowsOf } from '#shared/mapping/dataflow.ts'
import { withHonestName } from '#shared/presets/edited-name.ts'
import { chipPresets, workloadPresets } from '#shared/presets/presets.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import { issueLines } from '#shared/schema/issue-text.ts'
import { mappingSchema } from '#shared/schema/mapping.ts'
import { tuneInputSchema, type TuneInput } from '#shared/schema/tune-input.ts'
import { workloadSchema } from '#shared/schema/workload.ts'

/** The options of the command line that make up an input. */
export interface TuneOptions {
  readonly chip: string
  readonly workload: string
  readonly dataflow: string
  readonly group: string
  readonly top: string
  readonly set: readonly string[]
}

const parts = { chip: chipSchema, workload: workloadSchema, mapping: mappingSchema }

/**
 * The fully resolved input that the options ask for.
 *
 * @param read reads files; injected by tests
 * @throws UsageError that names each field that is wrong, its value and what is allowed
 */
export async function resolveTune(options: TuneOptions, read?: ReadText): Promise<TuneInput> {
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
    kind: 'tune',
    engine: 'phase',
    dataflows: options.dataflow === 'all' ? [...dataflows] : [options.dataflow],
    ...listed(options.top),
    ...overridden,
  }
  const parsed = tuneInputSchema.safeParse(candidate)
  if (parsed.success) {
    return {
      ...parsed.data,
      ...(options.dataflow === 'all' ? { dataflows: [...dataflowsOf(parsed.data.workload)] } : {}),
      chip: withHonestName(parsed.data.chip, chipPresets),
      workload: withHonestName(parsed.data.workload, workloadPresets),
    }
  }
  throw new UsageError(issueLines(parsed.error, candidate, { schema: tuneInputSchema }).join('\n'))
}

/** How many rejected mappings are listed; the range is checked by the schema. */
function listed(text: string): { readonly top?: number } {
  if (text === 'all') return {}
  if (/^[+-]?\d{1,300}$/.test(text)) return { top: Number(text) }
  throw new UsageError(`--top: must be a whole number or all, got ${JSON.stringify(text)}`)
}
