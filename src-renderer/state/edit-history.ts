import { computed, shallowReadonly, shallowRef } from 'vue'
import { draftDepth } from '#shared/ipc/draft.ts'

/** Edits of one field within this time are undone together. */
const COALESCE_MS = 1000

/** A step that was made: to a state that is new, or to one that was there. */
export interface EditStep<Value> {
  /** Of the state that is shown now, counted from the first state of all. */
  readonly position: number
  /** Left out where the state is not new. */
  readonly state?: Value
}

interface EditHistoryOptions<Value> {
  /** Milliseconds of a clock that only runs forward. */
  readonly now: () => number
  readonly onStep?: (step: EditStep<Value>) => void
}

/** A value with undo and redo. */
export function useEditHistory<Value>(
  initial: Value,
  { now, onStep = () => undefined }: EditHistoryOptions<Value>,
) {
  const states = shallowRef<readonly Value[]>([initial])
  const index = shallowRef(0)
  /** Position of the first state; those before it were forgotten. */
  let first = 0
  let lastKey = ''
  let lastMs = Number.NEGATIVE_INFINITY

  const present = computed(() => states.value[index.value] ?? initial)

  /** @param key edits with the same key in quick succession are one step; '' is always a step */
  function edit(value: Value, key = ''): void {
    const isContinued = key !== '' && key === lastKey && now() - lastMs < COALESCE_MS
    const before = states.value.slice(0, index.value + (isContinued ? 0 : 1))
    const kept = before.slice(-draftDepth)
    first += before.length - kept.length
    states.value = [...kept, value]
    index.value = kept.length
    lastKey = key
    lastMs = now()
    onStep({ position: first + index.value, state: value })
  }

  function move(step: number): void {
    if (states.value[index.value + step] === undefined) return
    index.value += step
    lastKey = ''
    onStep({ position: first + index.value })
  }

  /** Takes up what was kept: states in their order, the first at `from`, `position` shown. */
  function restore(kept: readonly Value[], from: number, position: number): void {
    if (kept.length === 0) return
    states.value = kept
    first = from
    index.value = Math.min(Math.max(position - from, 0), kept.length - 1)
    lastKey = ''
  }

  return {
    present: shallowReadonly(present),
    canUndo: computed(() => index.value > 0),
    canRedo: computed(() => index.value < states.value.length - 1),
    edit,
    undo: () => {
      move(-1)
    },
    redo: () => {
      move(1)
    },
    restore,
  }
}
