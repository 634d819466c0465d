import { applyOverride } from '#main/cli/override.ts'
import { readSystem, withHonestNames } from '#main/cli/read-system.ts'
import type { ReadText } from '#main/cli/read-text.ts'
import { UsageError } from '#main/cli/usage-error.ts'
import {
  dispatchInputSchema,
  dispatchSchema,
  type DispatchInput,
} from '#shared/schema/dispatch-input.ts'
import { issueLines } from '#shared/schema/issue-text.ts'
import { systemSchema } from '#shared/schema/system.ts'

/** The options of the command line that make up an input; commander has checked the choices. */
export interface DispatchOptions {
  readonly system: string
  readonly ep: string
  readonly tokens: string
  readonly experts: string
  readonly topK: string
  readonly width: string
  readonly routing: string
  readonly seed: string
  readonly exponent: string
  readonly redundant: string
  readonly format: string
  readonly combineFormat: string
  readonly header: string
  readonly once?: true
  readonly engine: string
  readonly set: readonly string[]
}

const parts = { system: systemSchema, dispatch: dispatchSchema }

/**
 * The fully resolved input that the options ask for.
 *
 * @param read reads files; injected by tests
 * @throws UsageError that names each field that is wrong, its value and what is allowed
 */
export async function resolveDispatchInput(
  options: DispatchOptions,
  read?: ReadText,
): Promise<DispatchInput> {
  const given = {
    system: await readSystem(options.system, read),
    dispatch: {
      expertParallel: number('ep', options.ep),
      tokensPerChip: number('tokens', options.tokens),
      experts: number('experts', options.experts),
      topK: number('top-k', options.topK),
      width: number('width', options.width),
      routing: options.routing,
      seed: number('seed', options.seed),
      zipfExponent: number('exponent', options.exponent),
      redundantExperts: number('redundant', options.redundant),
      dispatchFormat: options.format,
      combineFormat: options.combineFormat,
      headerBytes: number('header', options.header),
      onceForEachChip: options.once === true,
    },
  }
  const overridden = options.set.reduce<Record<string, unknown>>(
    (target, assignment) => applyOverride(target, assignment, parts),
    given,
  )
  const candidate = { kind: 'dispatch', engine: options.engine, ...overridden }
  const parsed = dispatchInputSchema.safeParse(candidate)
  if (parsed.success) return { ...parsed.data, system: withHonestNames(parsed.data.system) }
  throw new UsageError(
    issueLines(parsed.error, candidate, { schema: dispatchInputSchema }).join('\n'),
  )
}

/** The range is checked by the schema, which names the field. */
function number(option: string, text: string): number {
  if (/^[+-]?\d{1,300}(\.\d{1,300})?$/.test(text)) return Number(text)
  throw new UsageError(`--${option}: must be a number, got ${JSON.stringify(text)}`)
}
