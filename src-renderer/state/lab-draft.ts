import { dataflows, dataflowsOf, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { Preset } from '#shared/presets/preset.ts'
import { chipPresets, workloadPresets } from '#shared/presets/presets.ts'
import { withPresetName } from '#shared/presets/edited-name.ts'
import { nearestPreset } from '#renderer/state/nearest-preset.ts'
import type { ExperimentSpec } from '#shared/schema/attention-input.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import {
  formFields,
  valueAt,
  valueFields,
  withValueAt,
  type FormField,
  type ValueField,
} from '#shared/schema/form-fields.ts'
import type { Engine } from '#shared/schema/engine-field.ts'
import { mappingSchema } from '#shared/schema/mapping.ts'
import { latentFields, workloadSchema } from '#shared/schema/workload.ts'

export type DraftPart = 'chip' | 'workload' | 'mapping'
export type PartConfig = Readonly<Record<string, unknown>>

/** What is being edited in the Lab; values may be out of range while they are typed. */
export interface LabDraft {
  readonly name: string
  /** The presets that changes are marked against; null where the configuration is from elsewhere. */
  readonly chipPresetId: string | null
  readonly workloadPresetId: string | null
  readonly chip: PartConfig
  readonly workload: PartConfig
  readonly mapping: PartConfig
  readonly dataflows: readonly Dataflow[]
  /** Which model runs it; estimates are always of the phase engine. */
  readonly engine: Engine
}

export const partSchemas = {
  chip: chipSchema,
  workload: workloadSchema,
  mapping: mappingSchema,
} as const

const FIRST_CHIP = 'flat-2026'
const FIRST_WORKLOAD = 'mha-prefill-d128-s4096'

export const chipPresetById = (id: string | null): Preset<PartConfig> | undefined =>
  chipPresets.find(preset => preset.id === id)
export const workloadPresetById = (id: string | null): Preset<PartConfig> | undefined =>
  workloadPresets.find(preset => preset.id === id)

/** What the Lab shows before anything was edited. */
export function initialDraft(): LabDraft {
  return {
    name: '',
    chipPresetId: FIRST_CHIP,
    workloadPresetId: FIRST_WORKLOAD,
    chip: { ...chipPresetById(FIRST_CHIP)?.config },
    workload: { ...workloadPresetById(FIRST_WORKLOAD)?.config },
    mapping: {},
    dataflows: offeredDataflows(workloadPresetById(FIRST_WORKLOAD)?.config ?? {}),
    engine: 'phase',
  }
}

/** The fields of a part that mean something: the dimensions of MLA only for MLA. */
export function shownFields(part: DraftPart, config: PartConfig): readonly FormField[] {
  const fields = formFields(partSchemas[part])
  return part === 'workload' && config.variant !== 'mla'
    ? fields.filter(({ path: [name] }) => !latentFields.some(field => field === name))
    : fields
}

/** The dataflows that a workload can run with; those of MHA while its variant is no such word. */
export function offeredDataflows({ variant, phase }: PartConfig): readonly Dataflow[] {
  const fields = workloadSchema.shape
  return dataflowsOf({
    variant: fields.variant.safeParse(variant).data ?? 'mha',
    phase: fields.phase.safeParse(phase).data ?? 'prefill',
  })
}

/** A draft that repeats an experiment. */
export function draftOf(spec: ExperimentSpec): LabDraft {
  const chip = withPresetName(spec.chip, chipPresets)
  const workload = withPresetName(spec.workload, workloadPresets)
  return {
    name: spec.name,
    chipPresetId: nearestPreset(chipPresets, chip),
    workloadPresetId: nearestPreset(workloadPresets, workload),
    chip,
    workload,
    mapping: spec.mapping,
    dataflows: spec.dataflows,
    engine: spec.engine ?? 'phase',
  }
}

/** The configuration that a part's changes are marked against; an empty mapping is automatic. */
export function baseConfig(draft: LabDraft, part: DraftPart): PartConfig | undefined {
  switch (part) {
    case 'chip':
      return chipPresetById(draft.chipPresetId)?.config
    case 'workload':
      return workloadPresetById(draft.workloadPresetId)?.config
    case 'mapping':
      return {}
  }
}

/** Sets one field; fields that a rule ties to it follow. */
export function editField(
  draft: LabDraft,
  part: DraftPart,
  path: readonly string[],
  value: unknown,
): LabDraft {
  const edited = withValueAt(draft[part], path, value)
  return { ...draft, [part]: part === 'workload' ? linked(edited, path[0] ?? '', draft) : edited }
}

/** KV heads follow the query heads of MHA and MQA; decode has one query; self-attention stays square. */
function linked(workload: PartConfig, field: string, before: LabDraft): PartConfig {
  const { variant, heads, phase, queryLength } = workload
  if (field === 'variant' && variant !== 'mla' && before.workload.variant === 'mla') {
    const others = Object.entries(workload).filter(
      ([name]) => !latentFields.some(latentField => latentField === name),
    )
    return linked(Object.fromEntries(others), 'heads', before)
  }
  if (field === 'variant' || field === 'heads') {
    if (variant === 'mha') return { ...workload, kvHeads: heads }
    if (variant === 'mqa') return { ...workload, kvHeads: 1 }
  }
  if (field === 'phase' && phase === 'decode') return { ...workload, queryLength: 1 }
  if (field === 'phase' && phase === 'prefill') {
    return { ...workload, queryLength: workload.kvLength }
  }
  const wasSquare = before.workload.queryLength === before.workload.kvLength
  if (field === 'queryLength' && phase === 'prefill' && wasSquare) {
    return { ...workload, kvLength: queryLength }
  }
  return workload
}

/**
 * The draft that an earlier visit left, value by value: what is missing, of another type or no
 * longer known is taken from the presets, so that no stored text can break the Lab.
 */
export function reviveDraft(stored: unknown): LabDraft {
  const first = initialDraft()
  const chipPresetId = textOrNull(valueAt(stored, ['chipPresetId']))
  const workloadPresetId = textOrNull(valueAt(stored, ['workloadPresetId']))
  const chipPreset = chipPresetById(chipPresetId)
  const workloadPreset = workloadPresetById(workloadPresetId)
  const name = valueAt(stored, ['name'])
  const chosen = valueAt(stored, ['dataflows'])
  return {
    name: typeof name === 'string' ? name.slice(0, 120) : first.name,
    chipPresetId: chipPreset?.id ?? null,
    workloadPresetId: workloadPreset?.id ?? null,
    chip: revivePart('chip', chipPreset?.config ?? first.chip, valueAt(stored, ['chip'])),
    workload: revivePart(
      'workload',
      workloadPreset?.config ?? first.workload,
      valueAt(stored, ['workload']),
    ),
    mapping: revivePart('mapping', {}, valueAt(stored, ['mapping'])),
    dataflows: Array.isArray(chosen)
      ? dataflows.filter(dataflow => chosen.includes(dataflow))
      : first.dataflows,
    engine: valueAt(stored, ['engine']) === 'event' ? 'event' : 'phase',
  }
}

function revivePart(part: DraftPart, base: PartConfig, stored: unknown): PartConfig {
  return valueFields(formFields(partSchemas[part])).reduce((config, field) => {
    const value = valueAt(stored, field.path)
    return isOfType(field, value) ? withValueAt(config, field.path, value) : config
  }, base)
}

function isOfType(field: ValueField, value: unknown): boolean {
  switch (field.kind) {
    case 'number':
      return typeof value === 'number'
    case 'switch':
      return typeof value === 'boolean'
    case 'choice':
      return typeof value === 'string' && field.choices.includes(value)
    case 'text':
      return typeof value === 'string'
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
