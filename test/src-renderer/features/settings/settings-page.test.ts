import { beforeEach, expect, test } from 'vitest'
import SettingsPage from '#renderer/features/settings/SettingsPage.vue'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { mountInApp } from '#test/src-renderer/support/mount-app.ts'

beforeEach(() => {
  localStorage.clear()
})

function open() {
  const { wrapper } = mountInApp(SettingsPage, createFakeApi())
  const row = (id: string) => wrapper.get(`[data-testid="shortcut-${id}"]`)
  async function press(id: string, init: Record<string, unknown>) {
    const button = row(id).get('button')
    if (!button.classes('is-recording')) await button.trigger('click')
    await button.trigger('keydown', init)
  }
  return { wrapper, row, press }
}

test('keys are recorded, and can be set back', async () => {
  const { wrapper, row, press } = open()
  await press('edit.undo', { key: 'u', code: 'KeyU', ctrlKey: true })
  expect(row('edit.undo').text()).toContain('Ctrl+U')
  await wrapper.get('[aria-label="Usual keys of Undo"]').trigger('click')
  expect(row('edit.undo').text()).toContain('Ctrl+Z')
})

test('keys that type, and keys of another command, are refused with the reason', async () => {
  const { wrapper, row, press } = open()
  const problem = wrapper.get('[data-testid=shortcut-problem]')
  await press('edit.undo', { key: 'u', code: 'KeyU' })
  expect(problem.text()).toContain('needs Ctrl')
  await press('edit.undo', { key: 'k', code: 'KeyK', ctrlKey: true })
  expect(problem.text()).toContain('belong to “Command palette”')
  await press('edit.undo', { key: 'Escape', code: 'Escape' })
  expect(row('edit.undo').text()).toContain('Ctrl+Z')
})

test('keys can be taken away', async () => {
  const { wrapper, row } = open()
  await wrapper.get('[aria-label="Remove the keys of Undo"]').trigger('click')
  expect(row('edit.undo').text()).toContain('none')
})

test('the theme is chosen', async () => {
  const { wrapper } = open()
  await wrapper.get('[data-testid=theme-dark]').trigger('change')
  expect(localStorage.getItem('tessera.theme')).toBe('dark')
})
