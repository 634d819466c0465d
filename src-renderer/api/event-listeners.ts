import type { Events } from '#shared/ipc/contract.ts'

type Listeners = { readonly [E in keyof Events]: Set<(payload: Events[E]) => void> }

/** Who listens to what main tells the page. */
export function createEventListeners() {
  const listeners: Listeners = {
    'job:event': new Set(),
    'history:changed': new Set(),
    'decode:progress': new Set(),
    'validation:changed': new Set(),
  }

  function on<E extends keyof Events>(event: E, listener: (payload: Events[E]) => void) {
    listeners[event].add(listener)
    return () => {
      listeners[event].delete(listener)
    }
  }

  /** Tells the listeners of an event; events of a newer host are ignored. */
  function emit(event: string, payload: unknown): void {
    if (!isEvent(event)) return
    for (const listener of listeners[event]) (listener as (value: unknown) => void)(payload)
  }

  const isEvent = (event: string): event is keyof Events => Object.hasOwn(listeners, event)

  return { on, emit }
}
