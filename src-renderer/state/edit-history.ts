import { computed, shallowReadonly, shallowRef } from 'vue'

const DEPTH = 200
/** Edits of one field within this time are undone together. */
const COALESCE_MS = 1000

/**
 * A value with undo and redo.
 *
 * @param now milliseconds of a clock that only runs forward
 */
export function useEditHistory<Value>(initial: Value, now: () => number) {
  const present = shallowRef(initial)
  const past = shallowRef<readonly Value[]>([])
  const future = shallowRef<readonly Value[]>([])
  let lastKey = ''
  let lastMs = Number.NEGATIVE_INFINITY

  /** @param key edits with the same key in quick succession are one step; '' is always a step */
  function edit(value: Value, key = ''): void {
    const isContinued = key !== '' && key === lastKey && now() - lastMs < COALESCE_MS
    if (!isContinued) past.value = [...past.value, present.value].slice(-DEPTH)
    present.value = value
    future.value = []
    lastKey = key
    lastMs = now()
  }

  function undo(): void {
    const previous = past.value.at(-1)
    if (previous === undefined) return
    past.value = past.value.slice(0, -1)
    future.value = [present.value, ...future.value]
    present.value = previous
    lastKey = ''
  }

  function redo(): void {
    const next = future.value[0]
    if (next === undefined) return
    future.value = future.value.slice(1)
    past.value = [...past.value, present.value]
    present.value = next
    lastKey = ''
  }

  return {
    present: shallowReadonly(present),
    canUndo: computed(() => past.value.length > 0),
    canRedo: computed(() => future.value.length > 0),
    edit,
    undo,
    redo,
  }
}
