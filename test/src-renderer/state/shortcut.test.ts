import { expect, test } from 'vitest'
import { shortcutOf, shortcutText } from '#renderer/state/shortcut.ts'

const nothing = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }

test.each([
  ['Ctrl and a letter', { key: 'z', code: 'KeyZ', ctrlKey: true }, 'Mod+Z'],
  ['Cmd is the same', { key: 'z', code: 'KeyZ', metaKey: true }, 'Mod+Z'],
  ['Shift', { key: 'Z', code: 'KeyZ', ctrlKey: true, shiftKey: true }, 'Mod+Shift+Z'],
  ['another layout', { key: 'z', code: 'KeyY', ctrlKey: true }, 'Mod+Z'],
  ['Alt, which changes the sign', { key: '¬', code: 'KeyL', altKey: true }, 'Alt+L'],
  ['a function key', { key: 'F1', code: 'F1' }, 'F1'],
  ['a named key', { key: 'Enter', code: 'Enter', ctrlKey: true }, 'Mod+Enter'],
  ['plus', { key: '+', code: 'NumpadAdd', ctrlKey: true }, 'Mod++'],
  ['a modifier alone', { key: 'Control', code: 'ControlLeft', ctrlKey: true }, undefined],
  ['a letter that is typed', { key: 'z', code: 'KeyZ' }, undefined],
  ['a capital that is typed', { key: 'Z', code: 'KeyZ', shiftKey: true }, undefined],
])('%s', (_name, event, shortcut) => {
  expect(shortcutOf({ ...nothing, ...event })).toBe(shortcut)
})

test.each([
  ['Mod+Shift+Z', 'Ctrl+Shift+Z', '⌘⇧Z'],
  ['Alt+Shift+L', 'Alt+Shift+L', '⌥⇧L'],
  ['Mod++', 'Ctrl++', '⌘+'],
  ['F1', 'F1', 'F1'],
])('%s is written %s, on a Mac %s', (shortcut, text, macText) => {
  expect([shortcutText(shortcut, false), shortcutText(shortcut, true)]).toEqual([text, macText])
})
