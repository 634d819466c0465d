import { enableAutoUnmount, flushPromises } from '@vue/test-utils'
import { afterEach, expect, test } from 'vitest'
import WaferChipForm from '#renderer/features/wafer/WaferChipForm.vue'
import { useWaferDraftStore } from '#renderer/state/wafer-draft-store.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { mountInApp } from '#test/src-renderer/support/mount-app.ts'

enableAutoUnmount(afterEach)

test('the chip is edited in place, chosen anew, and undone', async () => {
  const { wrapper } = mountInApp(WaferChipForm, createFakeApi())
  const wafer = useWaferDraftStore()
  const clock = () => wrapper.get('[data-testid="field-clockGHz"] input')
  expect(wrapper.text()).toContain('As in the system’s preset')

  await clock().setValue('1.5')
  expect(wrapper.text()).toContain('1 changed')
  expect(wafer.decodeInput?.system.chip.clockGHz).toBe(1.5)
  expect(wafer.sweepInput?.system.chip.clockGHz).toBe(1.5)

  await wrapper.get('[data-testid="wafer-chip"]').setValue('flat-2026')
  expect(clock().element).toHaveProperty('value', '0.965')
  expect(wafer.decodeInput?.system.chip.name).toContain('2026')

  for (const value of ['1.5', '1.93']) {
    wafer.undo()
    await flushPromises()
    expect(clock().element).toHaveProperty('value', value)
  }
})

test('what is wrong is said at its field', async () => {
  const { wrapper } = mountInApp(WaferChipForm, createFakeApi())
  await wrapper.get('[data-testid="field-clockGHz"] input').setValue('-1')
  expect(wrapper.get('[data-testid="field-clockGHz"]').text()).toMatch(
    /must be a number from 0\.01 to 10 GHz, got -1/,
  )
  expect(useWaferDraftStore().decodeInput).toBeUndefined()
})
