import { applyOverride } from '#main/cli/override.ts'
import { readConfiguration } from '#main/cli/read-configuration.ts'
import type { ReadText } from '#main/cli/read-text.ts'
import { UsageError } from '#main/cli/usage-error.ts'
import { withHonestName } from '#shared/presets/edited-name.ts'
import { chipPresets } from '#shared/presets/presets.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import {
  gemmInputSchema,
  gemmMappingSchema,
  gemmWorkloadSchema,
  type GemmInput,
} from '#shared/schema/gemm-input.ts'
import { issueLines } from '#shared/schema/issue-text.ts'

/** The options of the command line that make up an input. */
export interface GemmOptions {
  readonly chip: string
  readonly m: string
  readonly n: string
  readonly k: string
  readonly batch: string
  readonly dtype: string
  readonly engine: string
  readonly set: readonly string[]
}

const parts = { chip: chipSchema, workload: gemmWorkloadSchema, mapping: gemmMappingSchema }

/**
 * The fully resolved input that the options ask for.
 *
 * @param read reads files; injected by tests
 * @throws UsageError that names each field that is wrong, its value and what is allowed
 */
export async function resolveGemm(options: GemmOptions, read?: ReadText): Promise<GemmInput> {
  const given = {
    chip: await readConfiguration(options.chip, 'chip', chipPresets, read),
    workload: {
      m: wholeNumber('m', options.m),
      n: wholeNumber('n', options.n),
      k: wholeNumber('k', options.k),
      batch: wholeNumber('batch', options.batch),
      dtype: options.dtype,
    },
    mapping: {},
  }
  const overridden = options.set.reduce<Record<string, unknown>>(
    (target, assignment) => applyOverride(target, assignment, parts),
    given,
  )
  const candidate = { kind: 'gemm', engine: options.engine, ...overridden }
  const parsed = gemmInputSchema.safeParse(candidate)
  if (parsed.success) {
    return { ...parsed.data, chip: withHonestName(parsed.data.chip, chipPresets) }
  }
  throw new UsageError(issueLines(parsed.error, candidate, { schema: gemmInputSchema }).join('\n'))
}

/** The range is checked by the schema, which names the field. */
function wholeNumber(option: string, text: string): number {
  if (/^[+-]?\d{1,300}$/.test(text)) return Number(text)
  throw new UsageError(`--${option}: must be a whole number, got ${JSON.stringify(text)}`)
}
