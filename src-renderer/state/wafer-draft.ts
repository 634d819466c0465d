import { nearestPreset } from '#renderer/state/nearest-preset.ts'
import { fieldProblems, type FieldProblem } from '#renderer/forms/field-problems.ts'
import { withHonestName, withPresetName } from '#shared/presets/edited-name.ts'
import { chipPresets } from '#shared/presets/presets.ts'
import { modelPresets } from '#shared/presets/model-presets.ts'
import type { Preset } from '#shared/presets/preset.ts'
import { systemPresets } from '#shared/presets/system-presets.ts'
import { usualDeployment } from '#shared/presets/usual-deployment.ts'
import {
  checkDeployment,
  decodeInputSchema,
  type DecodeInput,
} from '#shared/schema/decode-input.ts'
import { deploymentSchema } from '#shared/schema/deployment.ts'
import { valueAt } from '#shared/schema/form-fields.ts'
import { planInputSchema, planSearchSchema, type PlanInput } from '#shared/schema/plan-input.ts'
import { systemSchema, type SystemConfig } from '#shared/schema/system.ts'
import type { ModelConfig } from '#shared/schema/model.ts'

type PartConfig = Readonly<Record<string, unknown>>

/** Parts of the page that are edited field by field. */
export type WaferPart = 'system' | 'deployment' | 'limit'

/** What the Wafer page shows; parts hold what was typed, valid or not. */
export interface WaferDraft {
  readonly systemPresetId: string
  readonly modelPresetId: string
  readonly system: PartConfig
  readonly deployment: PartConfig
  readonly limit: PartConfig
}

export const waferSchemas = {
  system: systemSchema,
  deployment: deploymentSchema,
  limit: planSearchSchema.pick({ sloMs: true }),
} as const

/** TPOT that the published operating points are held against. */
const USUAL_LIMIT_MS = 50
const SWEPT_BATCHES = Array.from({ length: 12 }, (_, power) => 2 ** power)

const byId = <Config>(presets: readonly Preset<Config>[], id: string): Config => {
  const preset = presets.find(candidate => candidate.id === id) ?? presets[0]
  if (preset === undefined) throw new Error('there are no presets')
  return preset.config
}
export const systemOf = ({ systemPresetId }: Pick<WaferDraft, 'systemPresetId'>): SystemConfig =>
  byId(systemPresets, systemPresetId)
export const modelOf = ({ modelPresetId }: Pick<WaferDraft, 'modelPresetId'>): ModelConfig =>
  byId(modelPresets, modelPresetId)

export const firstWaferDraft = (): WaferDraft =>
  draftOfPresets('wafer-1tb', 'deepseek-v3-671b', { sloMs: USUAL_LIMIT_MS })

/** System and model as they come, with the deployment that goes with them. */
export function draftOfPresets(
  systemPresetId: string,
  modelPresetId: string,
  limit: PartConfig,
): WaferDraft {
  const system = systemOf({ systemPresetId })
  const deployment = usualDeployment(system, modelOf({ modelPresetId }))
  return { systemPresetId, modelPresetId, system, deployment, limit }
}

/** What changes of a part are marked against. */
export function waferBase(draft: WaferDraft, part: WaferPart): PartConfig {
  switch (part) {
    case 'system':
      return systemOf(draft)
    case 'deployment':
      return usualDeployment(systemOf(draft), modelOf(draft))
    case 'limit':
      return { sloMs: USUAL_LIMIT_MS }
  }
}

/** The chip of a system, valid or not. */
export function chipOf(system: PartConfig): PartConfig {
  const { chip } = system
  return typeof chip === 'object' && chip !== null ? (chip as PartConfig) : {}
}

/** What is wrong with each part, and between them. */
export function waferProblems(draft: WaferDraft): Record<WaferPart, readonly FieldProblem[]> {
  const problems = {
    system: fieldProblems(systemSchema, draft.system),
    deployment: fieldProblems(deploymentSchema, draft.deployment),
    limit: fieldProblems(waferSchemas.limit, draft.limit),
  }
  const system = systemSchema.safeParse(draft.system).data
  const deployment = deploymentSchema.safeParse(draft.deployment).data
  if (system === undefined || deployment === undefined) return problems
  const between: FieldProblem[] = []
  checkDeployment({ system, model: modelOf(draft), deployment }, (path, message) => {
    between.push({ path, message })
  })
  return { ...problems, deployment: between }
}

/** The deployment as it is asked for; undefined while something is wrong with it. */
export function decodeInputOf(draft: WaferDraft): DecodeInput | undefined {
  return decodeInputSchema.safeParse({ kind: 'decode', engine: 'phase', ...partsOf(draft) }).data
}

/**
 * The sweep of all batches, splits and dataflows; the same whatever of these the draft has, so that
 * it need not be made again when a point of it is looked at.
 */
export function sweepInputOf(draft: WaferDraft): PlanInput | undefined {
  const { deployment } = draft
  // Copies of experts are checked against the split, and only there.
  const split = deployment.redundantExperts === 0 ? 1 : deployment.expertParallel
  const swept = { batchPerChip: 2, expertParallel: split, pipelineParallel: 1, attention: 'flat' }
  return planInputSchema.safeParse({
    ...{ kind: 'plan', engine: 'phase', ...partsOf(draft) },
    deployment: { ...deployment, ...swept },
    search: { batches: SWEPT_BATCHES, attentions: ['flat', 'flash'] },
  }).data
}

const named = (config: PartConfig) => ({
  ...config,
  name: typeof config.name === 'string' ? config.name : '',
})

function partsOf(draft: WaferDraft) {
  const chip = withHonestName(named(chipOf(draft.system)), chipPresets)
  return {
    system: withHonestName({ ...named(draft.system), chip }, systemPresets),
    model: modelOf(draft),
    deployment: draft.deployment,
  }
}

/** The draft of a deployment that was kept. */
export function waferDraftOf({ system, model, deployment }: DecodeInput): WaferDraft {
  const first = firstWaferDraft()
  return {
    systemPresetId: nearestPreset(systemPresets, system) ?? first.systemPresetId,
    modelPresetId: nearestPreset(modelPresets, model) ?? first.modelPresetId,
    system: {
      ...withPresetName(system, systemPresets),
      chip: withPresetName(system.chip, chipPresets),
    },
    deployment,
    limit: first.limit,
  }
}

/** The draft that an earlier visit left, where it is one; else the first. */
export function reviveWaferDraft(stored: unknown): WaferDraft {
  const first = firstWaferDraft()
  const idIn = (presets: readonly Preset<unknown>[], key: string, otherwise: string) =>
    presets.find(({ id }) => id === valueAt(stored, [key]))?.id ?? otherwise
  const draft = draftOfPresets(
    idIn(systemPresets, 'systemPresetId', first.systemPresetId),
    idIn(modelPresets, 'modelPresetId', first.modelPresetId),
    waferSchemas.limit.safeParse(valueAt(stored, ['limit'])).data ?? first.limit,
  )
  return {
    ...draft,
    system: systemSchema.safeParse(valueAt(stored, ['system'])).data ?? draft.system,
    deployment:
      deploymentSchema.safeParse(valueAt(stored, ['deployment'])).data ?? draft.deployment,
  }
}
