import { applyOverride } from '#main/cli/override.ts'
import { readConfiguration } from '#main/cli/read-configuration.ts'
import { readSystem, withHonestNames } from '#main/cli/read-system.ts'
import type { ReadText } from '#main/cli/read-text.ts'
import { UsageError } from '#main/cli/usage-error.ts'
import { withHonestName } from '#shared/presets/edited-name.ts'
import { modelPresets } from '#shared/presets/model-presets.ts'
import { usualDeployment } from '#shared/presets/usual-deployment.ts'
import { decodeInputSchema, type DecodeInput } from '#shared/schema/decode-input.ts'
import { deploymentSchema } from '#shared/schema/deployment.ts'
import { issueLines } from '#shared/schema/issue-text.ts'
import { modelSchema, type ModelConfig } from '#shared/schema/model.ts'
import { systemSchema, type SystemConfig } from '#shared/schema/system.ts'

/** The options of the command line that make up a deployment; commander has checked the choices. */
export interface DecodeOptions {
  readonly system: string
  readonly model: string
  readonly batch: string
  readonly kv: string
  readonly ep?: string
  readonly pp?: string
  readonly attention: string
  readonly speculative: string
  readonly acceptance: string
  readonly communication: string
  readonly routing: string
  readonly layers?: string
  readonly ignoreCapacity?: true
  /** Of the kernels. */
  readonly engine?: string
  readonly set: readonly string[]
}

const parts = { system: systemSchema, model: modelSchema, deployment: deploymentSchema }

/**
 * The fully resolved input that the options ask for.
 *
 * What is left open follows from the rest: the split uses all chips, with up to 32 of them for the
 * experts; a system with reference artefacts is timed as the published one, layers and all.
 *
 * @param read reads files; injected by tests
 * @param given the system, where it was read before
 * @throws UsageError that names each field that is wrong, its value and what is allowed
 */
export async function resolveDecode(
  options: DecodeOptions,
  read?: ReadText,
  given?: unknown,
): Promise<DecodeInput> {
  const candidate = {
    kind: 'decode',
    engine: options.engine ?? 'phase',
    ...(await resolveParts(options, read, given)),
  }
  const checked = decodeInputSchema.safeParse(candidate)
  if (checked.success) return withNames(checked.data)
  throw new UsageError(
    issueLines(checked.error, candidate, { schema: decodeInputSchema }).join('\n'),
  )
}

/** System, model and deployment with the overrides; each under a name that says if it was edited. */
export const withNames = <Input extends Pick<DecodeInput, 'system' | 'model'>>(
  input: Input,
): Input => ({
  ...input,
  system: withHonestNames(input.system),
  model: withHonestName(input.model, modelPresets),
})

/**
 * System and model, checked, and the deployment, which is not.
 *
 * @throws UsageError as above
 */
export async function resolveParts(
  options: DecodeOptions,
  read?: ReadText,
  system?: unknown,
): Promise<Record<string, unknown>> {
  if (options.system === '-' && options.model === '-') {
    throw new UsageError('--system - and --model -: only one of them can be standard input')
  }
  const given = {
    system: system ?? (await readSystem(options.system, read)),
    model: await readConfiguration(options.model, 'model', modelPresets, read),
  }
  const before = options.set.filter(assignment => !assignment.trimStart().startsWith('deployment'))
  const own = options.set.filter(assignment => assignment.trimStart().startsWith('deployment'))
  const described = override(given, before)
  const checked = {
    system: parsed(described, 'system', systemSchema),
    model: parsed(described, 'model', modelSchema),
  }
  const deployment = defaultDeployment(options, checked.system, checked.model)
  return override({ ...checked, deployment }, own)
}

const override = (target: Record<string, unknown>, assignments: readonly string[]) =>
  assignments.reduce<Record<string, unknown>>(
    (changed, assignment) => applyOverride(changed, assignment, parts),
    target,
  )

function parsed<Part extends 'system' | 'model'>(
  described: Record<string, unknown>,
  part: Part,
  schema: (typeof parts)[Part],
): Part extends 'system' ? SystemConfig : ModelConfig
function parsed(
  described: Record<string, unknown>,
  part: 'system' | 'model',
  schema: (typeof parts)[typeof part],
): SystemConfig | ModelConfig {
  const result = schema.safeParse(described[part])
  if (result.success) return result.data
  throw new UsageError(issueLines(result.error, described[part], { root: part, schema }).join('\n'))
}

function defaultDeployment(options: DecodeOptions, system: SystemConfig, model: ModelConfig) {
  const usual = usualDeployment(system, model, {
    expertParallel: options.ep === undefined ? undefined : number('ep', options.ep),
    pipelineParallel: options.pp === undefined ? undefined : number('pp', options.pp),
  })
  return {
    ...usual,
    batchPerChip: number('batch', options.batch),
    kvLength: number('kv', options.kv),
    attention: options.attention,
    speculativeLength: number('speculative', options.speculative),
    acceptance: acceptanceOf(options.acceptance),
    routing: options.routing,
    communication: options.communication,
    layers: options.layers ?? usual.layers,
    ignoreCapacity: options.ignoreCapacity === true,
  }
}

/** One chance for all drafts, or one for each. */
export function acceptanceOf(text: string): number | number[] {
  const values = text.split(',').map(part => number('acceptance', part.trim()))
  const [single, ...more] = values
  return single !== undefined && more.length === 0 ? single : values
}

/** The range is checked by the schema, which names the field. */
export function number(option: string, text: string): number {
  if (/^[+-]?(\d{1,300}(\.\d{1,300})?|\.\d{1,300})$/.test(text)) return Number(text)
  throw new UsageError(`--${option}: must be a number, got ${JSON.stringify(text)}`)
}
