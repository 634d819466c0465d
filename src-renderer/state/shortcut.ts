type KeyEvent = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

const modifierKeys = new Set(['Control', 'Meta', 'Alt', 'Shift', 'AltGraph'])

/**
 * The keys of an event in one form, as `Mod+Shift+Z`, `Alt+Shift+L` or `F1`; Mod is Ctrl, on a
 * Mac Cmd. Undefined where no shortcut can be: a modifier alone, or keys that type a character.
 */
export function shortcutOf(event: KeyEvent): string | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (modifierKeys.has(key)) return undefined
  const isMod = ctrlKey || metaKey
  if (!isMod && !altKey && !/^F\d{1,2}$/.test(key)) return undefined
  return [isMod && 'Mod', altKey && 'Alt', shiftKey && 'Shift', nameOfKey(event)]
    .filter(part => part !== false)
    .join('+')
}

/** Alt turns letters into signs on some keyboards: there the place of the key counts. */
function nameOfKey({ key, code, altKey }: KeyEvent): string {
  const letter = altKey ? /^(?:Key|Digit)(.)$/.exec(code)?.[1] : undefined
  if (letter !== undefined) return letter
  if (key === ' ') return 'Space'
  return key.length === 1 ? key.toUpperCase() : key
}

const macSigns: Record<string, string> = { Mod: '⌘', Alt: '⌥', Shift: '⇧' }

/** As it is written on the keys of this machine: `Ctrl+Shift+Z`, on a Mac `⌘⇧Z`. */
export function shortcutText(shortcut: string, isMac: boolean): string {
  // A plus at the end is the key itself.
  const parts = shortcut.split(/\+(?=.)/)
  if (isMac) return parts.map(part => macSigns[part] ?? part).join('')
  return parts.map(part => (part === 'Mod' ? 'Ctrl' : part)).join('+')
}
