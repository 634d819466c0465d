import { enableAutoUnmount, flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { defineComponent, h, useTemplateRef } from 'vue'
import CommandPalette from '#renderer/app/CommandPalette.vue'
import { matchEntries } from '#renderer/app/palette-entries.ts'
import { useAppCommands } from '#renderer/app/useAppCommands.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { mountInApp } from '#test/src-renderer/support/mount-app.ts'
import { makeSummary } from '#test/src-renderer/support/make-experiment.ts'

enableAutoUnmount(afterEach)

const entry = (group: string, label: string) => ({ key: label, group, label, run: vi.fn() })

describe('matching', () => {
  const entries = [entry('Go to', 'History'), entry('Open experiment', 'Night run, FP8')]
  test.each([
    ['', ['History', 'Night run, FP8']],
    ['hist', ['History']],
    ['GO h', ['History']],
    ['fp8 night', ['Night run, FP8']],
    ['absent', []],
  ])('%j', (query, labels) => {
    expect(matchEntries(entries, query).map(({ label }) => label)).toEqual(labels)
  })
  test('is cut to a limit', () => {
    expect(matchEntries(entries, '', 1)).toHaveLength(1)
  })
})

const App = defineComponent({
  setup() {
    const palette = useTemplateRef<{ open: () => void }>('palette')
    useAppCommands(() => palette.value?.open())
    return () => h(CommandPalette, { ref: 'palette' })
  },
})

describe('the palette', () => {
  beforeEach(() => {
    localStorage.clear()
  })

  async function open() {
    const fake = createFakeApi({
      'experiment:list': ({ trashed }) =>
        trashed ? [] : [makeSummary({ id: 7, name: 'Night run' })],
    })
    const { wrapper, router } = mountInApp(App, fake)
    const press = (init: KeyboardEventInit): boolean =>
      window.dispatchEvent(new KeyboardEvent('keydown', { cancelable: true, ...init }))
    expect(press({ key: 'k', code: 'KeyK', ctrlKey: true })).toBe(false)
    await flushPromises()
    const input = wrapper.get('[data-testid=palette-input]')
    return { wrapper, router, input, press }
  }

  test('opens by its keys, finds an experiment, and goes to it with Enter', async () => {
    const { wrapper, router, input } = await open()
    await input.setValue('night')
    expect(wrapper.findAll('[role=option]')).toHaveLength(1)
    await input.trigger('keydown', { key: 'Enter' })
    await vi.waitFor(() => {
      expect(router.currentRoute.value.fullPath).toBe('/experiments/7')
    })
  })

  test('the arrows go round the list, and the reader is told where they are', async () => {
    const { wrapper, input } = await open()
    await input.setValue('theme')
    const selected = () => wrapper.get('[aria-selected=true]').text()
    const first = selected()
    await input.trigger('keydown', { key: 'ArrowUp' })
    expect(selected()).toContain('Dark theme')
    expect(input.attributes('aria-activedescendant')).toBe(
      wrapper.get('[aria-selected=true]').attributes('id'),
    )
    await input.trigger('keydown', { key: 'ArrowDown' })
    expect(selected()).toBe(first)
  })

  test('offers only what can be done on the open page, and says when nothing matches', async () => {
    const { wrapper, input } = await open()
    await input.setValue('undo')
    expect(wrapper.findAll('[role=option]')).toEqual([])
    expect(wrapper.text()).toContain('Nothing matches')
  })
})
