import { shallowReadonly, shallowRef } from 'vue'
import { useApi } from '#renderer/api/use-api.ts'
import { editingSession } from '#renderer/state/editing-session.ts'
import { useEditHistory, type EditStep } from '#renderer/state/edit-history.ts'
import { ApiError } from '#shared/ipc/api-error.ts'
import type { Input } from '#shared/ipc/contract.ts'
import type { DraftPage } from '#shared/ipc/draft.ts'

interface Options<Value> {
  readonly page: DraftPage
  readonly initial: Value
  /** Makes a state of what was kept, perhaps by an older version. */
  readonly revive: (kept: unknown) => Value
}

type Change = Input<'draft:keep'>

/**
 * A draft with undo and redo whose every step is kept by the host at once: it outlives navigation,
 * the page and the process.
 */
export function useDraftJournal<Value extends object>({ page, initial, revive }: Options<Value>) {
  const api = useApi()
  const unsentKey = `tessera.unsent-draft.${page}`
  const history = useEditHistory(initial, { now: () => performance.now(), onStep: remember })
  /** The state that was last saved: run, opened, or never edited. */
  const saved = shallowRef(initial)
  let pending: Omit<Change, 'page' | 'session'>[] = []
  let isSending = false
  let lastPosition = 0
  let loading: Promise<void> | undefined

  function remember({ position, state }: EditStep<Value>): void {
    lastPosition = position
    const before = pending.at(-1)
    // Of what is typed into one field while the host is busy only the last is kept.
    const isContinued = before?.position === position && before.state !== undefined
    if (state !== undefined && isContinued) pending.pop()
    pending.push({ position, ...(state !== undefined && { state: asJson(state) }) })
    void send()
  }

  /** Says that the present state is saved as it is. */
  function markSaved(state: Value = history.present.value): void {
    saved.value = state
    pending.push({ position: lastPosition, saved: asJson(state) })
    void send()
  }

  async function send(): Promise<void> {
    if (isSending) {
      keepUnsent()
      return
    }
    isSending = true
    try {
      // Never before it is known what is kept: the first step would take its place.
      await loadOnce()
      const session = await editingSession()
      for (let change = pending[0]; change !== undefined; change = pending[0]) {
        await api.invoke('draft:keep', { page, session, ...change })
        pending = pending.filter(other => other !== change)
      }
      localStorage.removeItem(unsentKey)
    } catch (error) {
      // The host is away or its disk is full, which the page says elsewhere: the next step tries
      // again. What it refuses it would refuse again.
      if (error instanceof ApiError && error.code === 'bad-input') pending = pending.slice(1)
      keepUnsent()
    } finally {
      isSending = false
    }
  }

  /** What the host has not answered yet outlives at least the page. */
  function keepUnsent(): void {
    if (pending.length > 0) localStorage.setItem(unsentKey, JSON.stringify(history.present.value))
  }

  /** What was edited while there was no host is a step after what the host has kept. */
  function takeUnsent(): void {
    const unsent = localStorage.getItem(unsentKey)
    localStorage.removeItem(unsentKey)
    if (unsent === null || unsent === JSON.stringify(history.present.value)) return
    try {
      history.edit(revive(JSON.parse(unsent)))
    } catch {
      // It was cut off while it was written.
    }
  }

  /** Takes up what was kept; what was edited before it arrived is a step after it. */
  async function takeUp(): Promise<void> {
    const session = await editingSession()
    const kept = await api.invoke('draft:load', { page, session })
    if (kept === null) {
      // The first state is kept as well: undo leads back to it after a restart.
      pending.unshift({ position: 0, state: asJson(initial) })
      if (!history.canUndo.value) takeUnsent()
      return
    }
    const mine = history.canUndo.value ? history.present.value : undefined
    // Of what was to be sent only the mark of what is saved still means the same.
    pending = pending.flatMap(({ saved: state }) =>
      state === undefined ? [] : [{ position: kept.position, saved: state }],
    )
    history.restore(kept.states.map(revive), kept.first, kept.position)
    lastPosition = kept.position
    if (kept.saved !== null && pending.length === 0) saved.value = revive(kept.saved)
    if (mine === undefined) takeUnsent()
    else history.edit(mine)
  }

  function loadOnce(): Promise<void> {
    loading ??= takeUp().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }

  /** Shows what was kept, if the host can say so now; else the first step asks again. */
  async function load(): Promise<void> {
    await loadOnce().catch(() => undefined)
  }

  return { history, saved: shallowReadonly(saved), markSaved, load }
}

/** States are plain JSON: they come from forms and presets. */
const asJson = (state: object): Change['state'] =>
  JSON.parse(JSON.stringify(state)) as Change['state']
