import type { Events } from '#shared/ipc/contract.ts'

/** Something that a page is told without asking, by name and content. */
export type CoreEvent = {
  readonly [Type in keyof Events]: { readonly type: Type; readonly payload: Events[Type] }
}[keyof Events]

export interface EventHub {
  emit(event: CoreEvent): void
  /** Tells that the list has changed, once for all the changes of a moment. */
  historyChanged(): void
  /** @returns a function that stops listening */
  subscribe(listener: (event: CoreEvent) => void): () => void
  close(): void
}

/** How long changes of the list are gathered, in ms. */
const gatherMs = 30

/** @param log gets what a listener throws: one broken page must not silence the others */
export function createEventHub(log: (line: string) => void): EventHub {
  const listeners = new Set<(event: CoreEvent) => void>()
  let pending: NodeJS.Timeout | undefined

  function emit(event: CoreEvent): void {
    for (const listener of [...listeners]) {
      try {
        listener(event)
      } catch (error) {
        log(`a listener of ${event.type} failed: ${String(error)}`)
      }
    }
  }

  return {
    emit,
    historyChanged() {
      if (pending !== undefined) return
      pending = setTimeout(() => {
        pending = undefined
        emit({ type: 'history:changed', payload: null })
      }, gatherMs)
      pending.unref()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    close() {
      clearTimeout(pending)
      listeners.clear()
    },
  }
}
