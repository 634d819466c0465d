import { defineStore } from 'pinia'
import { computed } from 'vue'
import { useDraftJournal } from '#renderer/state/draft-journal.ts'
import {
  decodeInputOf,
  draftOfPresets,
  firstWaferDraft,
  reviveWaferDraft,
  sweepInputOf,
  systemOf,
  waferDraftOf,
  waferBase,
  waferProblems,
  waferSchemas,
  type WaferDraft,
  type WaferPart,
} from '#renderer/state/wafer-draft.ts'
import { chipPresets } from '#shared/presets/presets.ts'
import type { DecodeInput } from '#shared/schema/decode-input.ts'
import type { PlanChoice } from '#shared/results/plan-result.ts'
import { valueAt, withValueAt } from '#shared/schema/form-fields.ts'

/** The deployment that is being edited on the Wafer page; every step of it is kept. */
export const useWaferDraftStore = defineStore('wafer-draft', () => {
  const { history, load } = useDraftJournal<WaferDraft>({
    page: 'wafer',
    initial: firstWaferDraft(),
    revive: reviveWaferDraft,
  })
  const draft = computed(() => history.present.value)
  const problems = computed(() => waferProblems(draft.value))
  const decodeInput = computed(() => decodeInputOf(draft.value))
  const sweepInput = computed(() => sweepInputOf(draft.value))
  /** TPOT in ms that a point has to meet; undefined where there is none. */
  const limitMs = computed(() => waferSchemas.limit.safeParse(draft.value.limit).data?.sloMs)

  function setField(part: WaferPart, path: readonly string[], value: unknown): void {
    const before = draft.value[part]
    if (Object.is(valueAt(before, path), value)) return
    history.edit(
      { ...draft.value, [part]: withValueAt(before, path, value) },
      `${part}.${path.join('.')}`,
    )
  }

  function resetField(part: WaferPart, path: readonly string[]): void {
    const value = valueAt(waferBase(draft.value, part), path)
    history.edit({ ...draft.value, [part]: withValueAt(draft.value[part], path, value) })
  }

  function chooseSystem(systemPresetId: string): void {
    history.edit({ ...draft.value, systemPresetId, system: systemOf({ systemPresetId }) })
  }

  function chooseChip(chipPresetId: string): void {
    const preset = chipPresets.find(({ id }) => id === chipPresetId)
    if (preset === undefined) return
    history.edit({ ...draft.value, system: { ...draft.value.system, chip: preset.config } })
  }

  /** Formats and split follow the model, so the deployment starts anew. */
  function chooseModel(modelPresetId: string): void {
    const { systemPresetId, limit, system } = draft.value
    history.edit({ ...draftOfPresets(systemPresetId, modelPresetId, limit), system })
  }

  /** Sets what a sweep is made over to that of one of its points. */
  function choosePoint(choice: PlanChoice): void {
    const { batchPerChip, expertParallel, pipelineParallel, attention } = choice
    history.edit({
      ...draft.value,
      deployment: {
        ...draft.value.deployment,
        ...{ batchPerChip, expertParallel, pipelineParallel, attention },
      },
    })
  }

  function open(input: DecodeInput): void {
    history.edit(waferDraftOf(input))
  }

  function reset(): void {
    history.edit(firstWaferDraft())
  }

  return {
    draft,
    problems,
    decodeInput,
    sweepInput,
    limitMs,
    canUndo: history.canUndo,
    canRedo: history.canRedo,
    undo: history.undo,
    redo: history.redo,
    setField,
    resetField,
    chooseSystem,
    chooseChip,
    chooseModel,
    choosePoint,
    open,
    reset,
    load,
  }
})
