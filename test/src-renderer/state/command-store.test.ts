import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { useCommandStore } from '#renderer/state/command-store.ts'
import { commands } from '#renderer/state/commands.ts'

function open() {
  setActivePinia(createPinia())
  return useCommandStore()
}

beforeEach(() => {
  localStorage.clear()
})

test('no two commands have the same keys', () => {
  const keys = commands.flatMap(({ shortcuts }) => shortcuts)
  expect(new Set(keys).size).toBe(keys.length)
})

describe('a command', () => {
  test('runs while a page provides it and it is enabled', () => {
    const store = open()
    const run = vi.fn()
    let enabled = true
    expect(store.runShortcut('Mod+Z')).toBe(false)
    const takeAway = store.provide({ 'edit.undo': { run, isEnabled: () => enabled } })
    expect(store.runShortcut('Mod+Z')).toBe(true)
    expect(run).toHaveBeenCalledTimes(1)
    enabled = false
    // The keys are the page's although there is nothing to undo: the browser must not take them.
    expect(store.runShortcut('Mod+Z')).toBe(true)
    expect(run).toHaveBeenCalledTimes(1)
    takeAway()
    expect(store.runShortcut('Mod+Z')).toBe(false)
  })

  test('of the next page stays when the page before goes late', () => {
    const store = open()
    const [before, next] = [vi.fn(), vi.fn()]
    const takeAway = store.provide({ 'edit.undo': { run: before } })
    store.provide({ 'edit.undo': { run: next } })
    takeAway()
    store.run('edit.undo')
    expect([before, next].map(run => run.mock.calls.length)).toEqual([0, 1])
  })
})

describe('shortcuts that a person sets', () => {
  test('take the place of the usual ones and are there the next day', () => {
    const run = vi.fn()
    expect(open().setShortcut('edit.redo', 'Mod+J')).toBeUndefined()
    const store = open()
    store.provide({ 'edit.redo': { run } })
    expect(store.keysOf('edit.redo')).toEqual(['Ctrl+J'])
    expect([store.runShortcut('Mod+Y'), store.runShortcut('Mod+J')]).toEqual([false, true])
    expect(store.resetShortcut('edit.redo')).toBeUndefined()
    expect(store.keysOf('edit.redo')).toEqual(['Ctrl+Shift+Z', 'Ctrl+Y'])
    expect(open().hasOwn).toBe(false)
  })

  test('are never given to two commands', () => {
    const store = open()
    expect(store.setShortcut('edit.redo', 'Mod+Z')?.id).toBe('edit.undo')
    expect(store.keysOf('edit.redo')).toEqual(['Ctrl+Shift+Z', 'Ctrl+Y'])
    store.setShortcut('edit.undo', undefined)
    expect(store.setShortcut('edit.redo', 'Mod+Z')).toBeUndefined()
    expect(store.resetShortcut('edit.undo')?.id).toBe('edit.redo')
    store.resetAll()
    expect(store.keysOf('edit.undo')).toEqual(['Ctrl+Z'])
  })

  test.each(['nonsense', 'null', '{"edit.undo": 3, "gone": ["Mod+Q"]}'])(
    'that are stored as %s are left out',
    stored => {
      localStorage.setItem('tessera.shortcuts', stored)
      const store = open()
      expect([store.hasOwn, store.keysOf('edit.undo')]).toEqual([false, ['Ctrl+Z']])
    },
  )
})
