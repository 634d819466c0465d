import { flushPromises } from '@vue/test-utils'
import { beforeEach, describe, expect, test } from 'vitest'
import LabPage from '#renderer/features/lab/LabPage.vue'
import type { Estimate } from '#shared/ipc/contract.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { makeDocument } from '#test/src-renderer/support/make-document.ts'
import { mountInApp, withShortcutKeys } from '#test/src-renderer/support/mount-app.ts'

beforeEach(() => {
  localStorage.clear()
})

async function openLab() {
  const fake = createFakeApi({
    'attention:estimate': (input): Estimate =>
      input.dataflow === 'fa2'
        ? { kind: 'infeasible', message: 'a tile needs 500 KiB of L1, it has 384 KiB' }
        : { kind: 'estimate', document: makeDocument({ seconds: 0.001 }, input) },
    'experiment:start': () => ({ experimentId: 5, reused: false }),
  })
  const { wrapper, router } = mountInApp(withShortcutKeys(LabPage), fake)
  await new Promise(resolve => setTimeout(resolve, 5))
  await flushPromises()
  return { fake, wrapper, router, find: (id: string) => wrapper.find(`[data-testid="${id}"]`) }
}

const pressed = (key: string, shiftKey = false) =>
  window.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey: true, shiftKey }))

test('each dataflow is estimated beside the form', async () => {
  const { find } = await openLab()
  expect(find('estimate-flat-hc').text()).toContain('1 ms')
  expect(find('estimate-flat-hc').text()).toContain('320 of 384 KiB')
  expect(find('estimate-fa2').text()).toContain('a tile needs 500 KiB of L1')
})

test('a run goes to its result', async () => {
  const { fake, router, find } = await openLab()
  await find('run').trigger('click')
  await flushPromises()
  expect(fake.callsOf('experiment:start')[0]?.input).toMatchObject({
    again: false,
    spec: { name: 'MHA prefill, D 128, S 4096 on FlatAttention 2026, 2 TB/s' },
  })
  expect(router.currentRoute.value.path).toBe('/experiments/5')
})

describe('keys', () => {
  test('Ctrl+Enter runs', async () => {
    const { fake, wrapper } = await openLab()
    pressed('Enter')
    expect(fake.callsOf('experiment:start')).toHaveLength(1)
    wrapper.unmount()
    pressed('Enter')
    expect(fake.callsOf('experiment:start')).toHaveLength(1)
  })

  test('Ctrl+Z takes an edit back, Ctrl+Shift+Z makes it again', async () => {
    const { wrapper, find } = await openLab()
    const input = find('field-batch').find('input')
    await input.setValue('8')
    pressed('z')
    await flushPromises()
    expect(input.element.value).toBe('2')
    pressed('Z', true)
    await flushPromises()
    expect(input.element.value).toBe('8')
    wrapper.unmount()
  })
})

test('an invalid field stops the run and is named', async () => {
  const { find } = await openLab()
  await find('field-tiles.x').find('input').setValue('0')
  expect(find('run').attributes('disabled')).toBeDefined()
  expect(find('estimate-problems').text()).toContain(
    'chip.tiles.x: must be a whole number from 1 to 256 tiles, got 0',
  )
})

test('a value that breaks two rules in the same words is named once', async () => {
  const { find } = await openLab()
  await find('field-kvLength').find('input').setValue('1e308')
  expect(
    find('estimate-problems')
      .findAll('li')
      .map(item => item.text()),
  ).toEqual(['workload.kvLength: must be a whole number from 0 to 16,777,216 tokens, got 1e+308'])
})

test('presets are offered under headings', async () => {
  const { find } = await openLab()
  const headings = find('preset-workload')
    .findAll('optgroup')
    .map(group => group.attributes('label'))
  expect(headings).toEqual(['MHA prefill', 'MHA decode', 'GQA decode', 'MLA decode'])
})

test('a preset replaces the configuration, changes are counted against it', async () => {
  const { find } = await openLab()
  await find('preset-chip').setValue('flat-2025')
  expect(find('changes-chip').exists()).toBe(false)
  await find('field-clockGHz').find('input').setValue('2')
  expect(find('changes-chip').text()).toContain('1 changed from preset')
  await find('reset-chip').trigger('click')
  expect(find('field-clockGHz').find('input').element.value).toBe('1')
})

test('only the chosen dataflows are run', async () => {
  const { fake, find } = await openLab()
  await find('dataflow-fa2').setValue(false)
  await find('run').trigger('click')
  expect(fake.callsOf('experiment:start')[0]?.input).toMatchObject({
    spec: { dataflows: ['fa3', 'flat-sc', 'flat-tc', 'flat-hc', 'flat-async'] },
  })
})
