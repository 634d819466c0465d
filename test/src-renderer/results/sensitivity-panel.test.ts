import { flushPromises } from '@vue/test-utils'
import { describe, expect, test } from 'vitest'
import SensitivityPanel from '#renderer/results/SensitivityPanel.vue'
import { useLabDraftStore } from '#renderer/state/lab-draft-store.ts'
import { runSensitivity } from '#shared/simulate/run-sensitivity.ts'
import { finish } from '#shared/simulate/simulation.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { mountInApp, withApp } from '#test/src-renderer/support/mount-app.ts'
import { makeSpec } from '#test/support/main-inputs.ts'

async function openPanel() {
  const fake = createFakeApi({
    'attention:sensitivity': input => ({
      kind: 'sensitivity',
      document: finish(runSensitivity(input)),
    }),
  })
  const { wrapper } = mountInApp(SensitivityPanel, fake, {
    ...{ spec: makeSpec(), dataflows: ['fa2', 'fa3'], tryLabel: 'Changes the chip' },
  })
  const find = (id: string) => wrapper.find(`[data-testid="${id}"]`)
  await find('sensitivity-open').trigger('click')
  await settled()
  return { fake, wrapper, find }
}
async function settled(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 300))
  await flushPromises()
}

test('computes when it is opened, of the last dataflow; another can be chosen', async () => {
  const { fake, find, wrapper } = await openPanel()
  const asked = () => fake.callsOf('attention:sensitivity').map(({ input }) => input)
  expect(asked()).toMatchObject([{ dataflow: 'fa3', engine: 'phase' }])
  await find('sensitivity-dataflow').setValue('fa2')
  await settled()
  expect(asked()).toMatchObject([{ dataflow: 'fa3' }, { dataflow: 'fa2' }])
  wrapper.unmount()
})

test('shows what helps, and everything on request', async () => {
  const { find, wrapper } = await openPanel()
  const rows = () => find('sensitivity-table').findAll('tbody tr').length
  const few = rows()
  expect(few).toBeLessThan(17)
  await find('sensitivity-whole').trigger('click')
  expect(rows()).toBe(17)
  expect(find('sensitivity-vectorEngine.expRate').text()).toContain('is not within 0.001 to 1')
  wrapper.unmount()
})

test('a button offers the changes of its step', async () => {
  const { find, wrapper } = await openPanel()
  await find('sensitivity-hbm.channels').find('button').trigger('click')
  expect(wrapper.emitted('try')).toEqual([
    [
      [
        { path: 'chip.hbm.channels.west', value: 32 },
        { path: 'chip.hbm.channels.south', value: 32 },
      ],
    ],
  ])
  wrapper.unmount()
})

describe('in the draft of the Lab', () => {
  test('a change of several fields is one step that can be undone', () => {
    const { result: lab, stop } = withApp(useLabDraftStore, createFakeApi())
    const before = lab.draft
    lab.changeChip([
      { path: 'chip.hbm.channels.west', value: 32 },
      { path: 'chip.hbm.channels.south', value: 64 },
    ])
    expect(lab.draft.chip).toMatchObject({ hbm: { channels: { west: 32, south: 64 } } })
    lab.undo()
    expect(lab.draft).toEqual(before)
    stop()
  })
})
