import { onScopeDispose } from 'vue'
import { useCommandStore } from '#renderer/state/command-store.ts'
import { shortcutOf } from '#renderer/state/shortcut.ts'

/** Lets the keyboard run commands while the calling component is there: the app as a whole. */
export function useShortcutKeys(): void {
  const store = useCommandStore()

  function onKeydown(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing) return
    const shortcut = shortcutOf(event)
    if (shortcut !== undefined && store.runShortcut(shortcut)) event.preventDefault()
  }
  window.addEventListener('keydown', onKeydown)
  onScopeDispose(() => {
    window.removeEventListener('keydown', onKeydown)
  })
}
