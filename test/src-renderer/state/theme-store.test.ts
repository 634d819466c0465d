import { beforeEach, expect, test } from 'vitest'
import { useThemeStore } from '#renderer/state/theme-store.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { withApp } from '#test/src-renderer/support/mount-app.ts'

const openStore = () => withApp(useThemeStore, createFakeApi()).result
const isDark = () => document.documentElement.classList.contains('dark')

beforeEach(() => {
  localStorage.clear()
})

test('a choice is applied and kept', () => {
  openStore().choose('dark')
  expect(isDark()).toBe(true)
  expect(openStore().choice).toBe('dark')
})

test('a page for print is light whatever was chosen', () => {
  const store = openStore()
  store.choose('dark')
  store.setPrintPage(true)
  expect(isDark()).toBe(false)
  store.setPrintPage(false)
  expect(isDark()).toBe(true)
})

test('an unknown stored choice is the system', () => {
  localStorage.setItem('tessera.theme', 'sepia')
  expect(openStore().choice).toBe('system')
})
