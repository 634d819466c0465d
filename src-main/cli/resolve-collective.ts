import { collectiveExtent, type CollectiveAxis } from '#main/cli/collective-extent.ts'
import { applyOverride } from '#main/cli/override.ts'
import { readConfiguration } from '#main/cli/read-configuration.ts'
import type { ReadText } from '#main/cli/read-text.ts'
import { UsageError } from '#main/cli/usage-error.ts'
import { withHonestName } from '#shared/presets/edited-name.ts'
import { chipPresets } from '#shared/presets/presets.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import {
  collectiveInputSchema,
  collectiveSchema,
  type CollectiveInput,
} from '#shared/schema/collective-input.ts'
import { issueLines } from '#shared/schema/issue-text.ts'

/** The options of the command line that make up an input; commander has checked the choices. */
export interface CollectiveOptions {
  readonly chip: string
  readonly op: string
  readonly bytes: string
  readonly participants: string
  readonly impl: string
  readonly stages?: string
  readonly axis: CollectiveAxis
  readonly dtype: string
  readonly engine: string
  readonly barriers: string
  readonly set: readonly string[]
}

const parts = { chip: chipSchema, collective: collectiveSchema }

/**
 * The fully resolved input that the options ask for.
 *
 * @param read reads files; injected by tests
 * @throws UsageError that names each field that is wrong, its value and what is allowed
 */
export async function resolveCollectiveInput(
  options: CollectiveOptions,
  read?: ReadText,
): Promise<CollectiveInput> {
  const given = {
    chip: await readConfiguration(options.chip, 'chip', chipPresets, read),
    collective: {
      operation: options.op,
      implementation: options.impl,
      bytes: wholeNumber(options.bytes, 'bytes', 32_768),
      dtype: options.dtype,
      ...collectiveExtent(options.participants, options.axis),
      ...stagesOf(options),
      barriers: options.barriers,
    },
  }
  const overridden = options.set.reduce<Record<string, unknown>>(
    (target, assignment) => applyOverride(target, assignment, parts),
    given,
  )
  const candidate = { kind: 'collective', engine: options.engine, ...overridden }
  const parsed = collectiveInputSchema.safeParse(candidate)
  if (parsed.success) {
    return { ...parsed.data, chip: withHonestName(parsed.data.chip, chipPresets) }
  }
  throw new UsageError(
    issueLines(parsed.error, candidate, { schema: collectiveInputSchema }).join('\n'),
  )
}

/** Pieces of the pipelined variant where nothing is said. */
const DEFAULT_STAGES = 8

function stagesOf({ impl, stages }: CollectiveOptions): { readonly stages?: number } {
  if (stages !== undefined) return { stages: wholeNumber(stages, 'stages', DEFAULT_STAGES) }
  return impl === 'sw-pipelined' ? { stages: DEFAULT_STAGES } : {}
}

function wholeNumber(text: string, option: string, example: number): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(
    `--${option} ${text}: must be a whole number of at least 1, such as ${String(example)}`,
  )
}
