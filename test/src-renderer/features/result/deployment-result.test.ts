import { enableAutoUnmount, flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, expect, test } from 'vitest'
import ResultPage from '#renderer/features/result/ResultPage.vue'
import { useWaferDraftStore } from '#renderer/state/wafer-draft-store.ts'
import { chipRoles } from '#shared/simulate/chip-roles.ts'
import { estimateDecode } from '#shared/simulate/run-decode.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { giveElementsASize } from '#test/src-renderer/support/give-elements-a-size.ts'
import { makeDeployment } from '#test/src-renderer/support/make-deployment.ts'
import { mountInApp } from '#test/src-renderer/support/mount-app.ts'

enableAutoUnmount(afterEach)
beforeEach(() => {
  giveElementsASize()
})

async function open() {
  const deployment = makeDeployment(1, { batchPerChip: 64 })
  const fake = createFakeApi({
    'experiment:get': () => deployment,
    'decode:estimate': input => ({
      kind: 'estimate',
      document: estimateDecode(input),
      chips: chipRoles(input),
    }),
    'decode:save': () => ({ experimentId: 2, reused: false }),
  })
  const mounted = mountInApp(ResultPage, fake, { experimentId: 1 })
  await new Promise(resolve => setTimeout(resolve, 5))
  await flushPromises()
  return { ...mounted, fake, find: (id: string) => mounted.wrapper.get(`[data-testid="${id}"]`) }
}

test('a kept deployment is shown as on the Wafer page, against measured systems', async () => {
  const { wrapper, find } = await open()
  expect(find('experiment-title').text()).toBe('Deployment 1')
  expect(find('wafer-tpot').text()).toContain('ms')
  expect(find('decode-comparison').text()).toContain('DS-Prof')
  expect(wrapper.findAll('[data-testid="mesh-chip"]')).toHaveLength(64)
  expect(find('wafer-kernels').text()).toContain('attention')
})

test('it opens on the Wafer page as it is', async () => {
  const { router, find } = await open()
  await find('open-on-wafer').trigger('click')
  await flushPromises()
  expect(router.currentRoute.value.name).toBe('wafer')
  const { draft } = useWaferDraftStore()
  expect(draft).toMatchObject({
    systemPresetId: 'wafer-1tb',
    modelPresetId: 'deepseek-v3-671b',
    deployment: { batchPerChip: 64 },
  })
})

test('it is run again on demand', async () => {
  const { fake, router, find } = await open()
  await find('run-again').trigger('click')
  await flushPromises()
  expect(fake.callsOf('decode:save')[0]?.input).toMatchObject({ again: true, name: 'Deployment 1' })
  expect(router.currentRoute.value.fullPath).toBe('/experiments/2')
})
