import { applyOverride } from '#main/cli/override.ts'
import { readConfiguration } from '#main/cli/read-configuration.ts'
import type { ReadText } from '#main/cli/read-text.ts'
import { UsageError } from '#main/cli/usage-error.ts'
import { withHonestName } from '#shared/presets/edited-name.ts'
import { chipPresets } from '#shared/presets/presets.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import { issueLines } from '#shared/schema/issue-text.ts'
import {
  vectorInputSchema,
  vectorWorkloadSchema,
  type VectorInput,
} from '#shared/schema/vector-input.ts'

/** The options of the command line that make up an input; commander has checked the choices. */
export interface VectorOptions {
  readonly chip: string
  readonly kernel: string
  readonly tokens: string
  readonly width?: string
  readonly experts?: string
  readonly topK?: string
  readonly dtype: string
  readonly data: string
  readonly timing: string
  readonly engine: string
  readonly set: readonly string[]
}

const parts = { chip: chipSchema, workload: vectorWorkloadSchema }

/**
 * The fully resolved input that the options ask for. The scores of top-k are its experts, so one of
 * the two is enough.
 *
 * @param read reads files; injected by tests
 * @throws UsageError that names each field that is wrong, its value and what is allowed
 */
export async function resolveVectorInput(
  options: VectorOptions,
  read?: ReadText,
): Promise<VectorInput> {
  const { kernel, width, experts, topK } = options
  const given = {
    chip: await readConfiguration(options.chip, 'chip', chipPresets, read),
    workload: {
      kernel,
      tokens: wholeNumber('tokens', options.tokens),
      ...optional('width', width ?? (kernel === 'top-k' ? experts : undefined)),
      ...optional('experts', experts),
      ...optional('topK', topK),
      dtype: options.dtype,
      data: options.data,
    },
  }
  const overridden = options.set.reduce<Record<string, unknown>>(
    (target, assignment) => applyOverride(target, assignment, parts),
    given,
  )
  const candidate = {
    kind: 'vector',
    engine: options.engine,
    ...overridden,
    timing: options.timing,
  }
  const parsed = vectorInputSchema.safeParse(candidate)
  if (parsed.success) {
    return { ...parsed.data, chip: withHonestName(parsed.data.chip, chipPresets) }
  }
  throw new UsageError(
    issueLines(parsed.error, candidate, { schema: vectorInputSchema }).join('\n'),
  )
}

const optionNames = { width: 'width', experts: 'experts', topK: 'top-k' } as const

const optional = (
  field: keyof typeof optionNames,
  text: string | undefined,
): Readonly<Record<string, number>> =>
  text === undefined ? {} : { [field]: wholeNumber(optionNames[field], text) }

/** The range is checked by the schema, which names the field. */
function wholeNumber(option: string, text: string): number {
  if (/^[+-]?\d{1,300}$/.test(text)) return Number(text)
  throw new UsageError(`--${option}: must be a whole number, got ${JSON.stringify(text)}`)
}
