import { defineStore } from 'pinia'
import { computed } from 'vue'
import { fieldProblems, type FieldProblem } from '#renderer/forms/field-problems.ts'
import { useDraftJournal } from '#renderer/state/draft-journal.ts'
import {
  baseConfig,
  chipPresetById,
  draftOf,
  editField,
  initialDraft,
  offeredDataflows,
  partSchemas,
  reviveDraft,
  workloadPresetById,
  type DraftPart,
  type LabDraft,
  type PartConfig,
} from '#renderer/state/lab-draft.ts'
import { nearestPreset } from '#renderer/state/nearest-preset.ts'
import { canonicalJson } from '#shared/base/canonical-json.ts'
import { dataflows, type Dataflow } from '#shared/mapping/dataflow.ts'
import { withHonestName } from '#shared/presets/edited-name.ts'
import { chipPresets, workloadPresets } from '#shared/presets/presets.ts'
import { experimentSpecSchema, type ExperimentSpec } from '#shared/schema/attention-input.ts'
import type { Engine } from '#shared/schema/engine-field.ts'
import type { FieldChange } from '#shared/results/sensitivity-result.ts'
import { valueAt, withValueAt } from '#shared/schema/form-fields.ts'

/** The configuration that is being edited in the Lab; every step of it is kept. */
export const useLabDraftStore = defineStore('lab-draft', () => {
  const { history, saved, markSaved, load } = useDraftJournal<LabDraft>({
    page: 'lab',
    initial: initialDraft(),
    revive: reviveDraft,
  })
  const draft = computed(() => history.present.value)
  const problems = computed<Record<DraftPart, readonly FieldProblem[]>>(() => ({
    chip: fieldProblems(partSchemas.chip, draft.value.chip),
    workload: fieldProblems(partSchemas.workload, draft.value.workload),
    mapping: fieldProblems(partSchemas.mapping, draft.value.mapping),
  }))
  /** What the workload can run with, and what of it would be run. */
  const offered = computed(() => offeredDataflows(draft.value.workload))
  const chosen = computed(() =>
    offered.value.filter(dataflow => draft.value.dataflows.includes(dataflow)),
  )
  /** Chip and workload as they are run: under the name of a preset only where they are that preset. */
  const named = computed(() => ({
    chip: withHonestName({ ...draft.value.chip, name: textAt(draft.value.chip) }, chipPresets),
    workload: withHonestName(
      { ...draft.value.workload, name: textAt(draft.value.workload) },
      workloadPresets,
    ),
  }))
  const defaultName = computed(() =>
    `${named.value.workload.name} on ${named.value.chip.name}`.slice(0, 120),
  )
  /** What would be run; undefined while something is missing or out of range. */
  const spec = computed<ExperimentSpec | undefined>(() => {
    const { name, mapping, engine } = draft.value
    return experimentSpecSchema.safeParse({
      name: name.trim() === '' ? defaultName.value : name,
      ...named.value,
      mapping,
      ...(engine === 'phase' ? {} : { engine }),
      dataflows: chosen.value,
    }).data
  })

  /** Whether there is something in the draft that was neither run nor opened as it is. */
  const isUnsaved = computed(() => textOf(draft.value) !== textOf(saved.value))

  /** Back to what was run or opened last, which is a step that can be undone. */
  function revert(): void {
    if (isUnsaved.value) history.edit(saved.value)
  }

  function setField(part: DraftPart, path: readonly string[], value: unknown): void {
    if (Object.is(valueAt(draft.value[part], path), value)) return
    history.edit(editField(draft.value, part, path, value), `${part}.${path.join('.')}`)
  }

  /** Takes several values into the chip as one step; paths as in an input: 'chip.noc.linkBits'. */
  function changeChip(changes: readonly FieldChange[]): void {
    const chip = changes.reduce<PartConfig>((config, { path, value }) => {
      const [part, ...keys] = path.split('.')
      return part === 'chip' ? withValueAt(config, keys, value) : config
    }, draft.value.chip)
    history.edit({ ...draft.value, chip })
  }

  /** Puts a field back to its preset; a mapping override back to automatic. */
  function resetField(part: DraftPart, path: readonly string[]): void {
    const base = baseConfig(draft.value, part)
    if (base !== undefined) {
      history.edit(editField(draft.value, part, path, valueAt(base, path)))
    }
  }

  function resetPart(part: DraftPart): void {
    const base = baseConfig(draft.value, part)
    if (base !== undefined) history.edit({ ...draft.value, [part]: base })
  }

  function chooseChipPreset(id: string): void {
    const preset = chipPresetById(id)
    if (preset !== undefined) {
      history.edit({ ...draft.value, chipPresetId: id, chip: preset.config })
    }
  }

  function chooseWorkloadPreset(id: string): void {
    const preset = workloadPresetById(id)
    if (preset !== undefined) {
      history.edit({ ...draft.value, workloadPresetId: id, workload: preset.config })
    }
  }

  function setName(name: string): void {
    history.edit({ ...draft.value, name }, 'name')
  }

  function toggleDataflow(dataflow: Dataflow, isChosen: boolean): void {
    const wanted = dataflows.filter(candidate =>
      candidate === dataflow ? isChosen : draft.value.dataflows.includes(candidate),
    )
    history.edit({ ...draft.value, dataflows: wanted })
  }

  function setEngine(engine: Engine): void {
    if (engine !== draft.value.engine) history.edit({ ...draft.value, engine })
  }

  /** Takes a configuration that was read from a file and has been checked. */
  function importPart(part: 'chip' | 'workload', config: PartConfig): void {
    history.edit(
      part === 'chip'
        ? { ...draft.value, chip: config, chipPresetId: nearestPreset(chipPresets, config) }
        : {
            ...draft.value,
            workload: config,
            workloadPresetId: nearestPreset(workloadPresets, config),
          },
    )
  }

  function open(experiment: ExperimentSpec): void {
    history.edit(draftOf(experiment))
    markSaved()
  }

  return {
    draft,
    offered,
    chosen,
    problems,
    defaultName,
    spec,
    canUndo: history.canUndo,
    canRedo: history.canRedo,
    undo: history.undo,
    redo: history.redo,
    setField,
    changeChip,
    resetField,
    resetPart,
    chooseChipPreset,
    chooseWorkloadPreset,
    setName,
    toggleDataflow,
    setEngine,
    importPart,
    open,
    isUnsaved,
    revert,
    markSaved,
    load,
  }
})

/** A draft as it would be kept; what is no JSON number is null there. */
const textOf = (draft: LabDraft): string => canonicalJson(JSON.parse(JSON.stringify(draft)))

const textAt = (config: PartConfig): string => {
  const { name } = config
  return typeof name === 'string' ? name : ''
}
