import { onScopeDispose } from 'vue'

interface Shortcut {
  /** As in KeyboardEvent.key, lower case. */
  readonly key: string
  readonly shift?: boolean
  readonly action: () => void
}

/** Keys together with Ctrl (Cmd on a Mac) while the calling component is there. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  function onKeydown(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return
    const shortcut = shortcuts.find(
      ({ key, shift = false }) => key === event.key.toLowerCase() && shift === event.shiftKey,
    )
    if (shortcut === undefined) return
    event.preventDefault()
    shortcut.action()
  }
  window.addEventListener('keydown', onKeydown)
  onScopeDispose(() => {
    window.removeEventListener('keydown', onKeydown)
  })
}
