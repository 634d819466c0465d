import { flushPromises } from '@vue/test-utils'
import { beforeEach, describe, expect, test } from 'vitest'
import ValidationPage from '#renderer/features/validation/ValidationPage.vue'
import { useAppStore } from '#renderer/state/app-store.ts'
import type { Output } from '#shared/ipc/contract.ts'
import type { Engine } from '#shared/schema/engine-field.ts'
import { compared, validationSet } from '#shared/validation/validation-set.ts'
import { appInfo, createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { giveElementsASize } from '#test/src-renderer/support/give-elements-a-size.ts'
import { mountInApp } from '#test/src-renderer/support/mount-app.ts'

beforeEach(() => {
  giveElementsASize()
})

const sets = [
  validationSet({
    ...{ id: 'kernels', title: 'Kernels', source: 'Some paper, Fig. 8' },
    target: { meanAbsoluteError: 0.1, largestError: 0.2 },
    rows: [
      compared('fa2, S 512', 'µs', 110, 100),
      compared('fa2, S 4096', 'µs', 900, 1000),
      compared('fa3, S 512', 'µs', 50, 50),
    ],
  }),
  validationSet({
    ...{ id: 'area', title: 'Die area', source: 'Another paper' },
    target: { meanAbsoluteError: 0.01, largestError: 0.01 },
    rows: [compared('die', 'mm²', 300, 200)],
  }),
]
const keptBy = (modelVersion: string): Output<'validation:get'> => ({
  status: { kind: 'idle' },
  kept: { validation: { modelVersion, sets, passed: false }, ranAtMs: 0, elapsedMs: 1500 },
})

async function openValidation(
  answer: () => Output<'validation:get'>,
  props: { engine?: Engine; setId?: string } = {},
) {
  const fake = createFakeApi({
    'validation:get': answer,
    'validation:start': () => null,
    'validation:cancel': () => null,
  })
  const { wrapper, router } = mountInApp(ValidationPage, fake, {
    ...{ engine: 'phase', setId: '' },
    ...props,
  })
  await useAppStore().load()
  await flushPromises()
  return { fake, wrapper, router, find: (id: string) => wrapper.find(`[data-testid="${id}"]`) }
}

describe('sets that are there', () => {
  test('are listed with errors and verdicts; one is open, with rows, plot and regimes', async () => {
    const { find, fake, wrapper } = await openValidation(() => keptBy(appInfo.modelVersion))
    expect(find('set-kernels').text()).toContain('✓ met')
    expect(find('set-area').text()).toContain('✕ missed')
    expect(wrapper.text()).toContain('1 of 2 targets met')
    expect(find('validation-detail').text()).toContain('Some paper, Fig. 8')
    expect(find('validation-rows').text()).toContain('fa2, S 4096')
    expect(find('validation-regimes').text()).toContain('S 512')
    const drawn = find('chart-validation').find('[data-chart]').attributes('data-chart') ?? ''
    expect(drawn).toContain('[[100,0.1],[1000,-0.1],[50,0]]')
    expect(fake.callsOf('validation:start')).toHaveLength(0)
    wrapper.unmount()
  })

  test('another plot shows predicted over published', async () => {
    const { find, wrapper } = await openValidation(() => keptBy(appInfo.modelVersion))
    await find('validation-plot').setValue('parity')
    const drawn = find('chart-validation').find('[data-chart]').attributes('data-chart') ?? ''
    expect(drawn).toContain('[[100,110],[1000,900],[50,50]]')
    wrapper.unmount()
  })

  test('can be filtered, and opened by their address', async () => {
    const { find, router, wrapper } = await openValidation(() => keptBy(appInfo.modelVersion), {
      setId: 'area',
    })
    expect(find('validation-detail').attributes('data-set')).toBe('area')
    await find('validation-filter').setValue('fig. 8')
    expect(find('set-area').exists()).toBe(false)
    await find('set-kernels').find('button').trigger('click')
    await flushPromises()
    expect(router.currentRoute.value.query).toEqual({ engine: 'phase', set: 'kernels' })
    wrapper.unmount()
  })
})

describe('sets that are not', () => {
  test('are computed at once by the phase engine, and shown when they are there', async () => {
    let answer: Output<'validation:get'> = { status: { kind: 'idle' }, kept: null }
    const { find, fake, wrapper } = await openValidation(() => answer)
    expect(fake.callsOf('validation:start')).toHaveLength(1)
    const progress = { phase: 'GEMM, phase engine', done: 3, total: 10 }
    fake.emit('validation:changed', {
      engine: 'phase',
      status: { kind: 'running', startedAtMs: 0, progress },
    })
    await flushPromises()
    expect(find('validation-progress').text()).toContain('GEMM, phase engine, part 4 of 10')
    answer = keptBy(appInfo.modelVersion)
    fake.emit('validation:changed', { engine: 'phase', status: { kind: 'idle' } })
    await flushPromises()
    expect(find('validation-sets').exists()).toBe(true)
    wrapper.unmount()
  })

  test('of the event engine wait to be asked for, and can be cancelled', async () => {
    const nothing = (): Output<'validation:get'> => ({ status: { kind: 'idle' }, kept: null })
    const { find, fake, wrapper } = await openValidation(nothing, { engine: 'event' })
    expect(fake.callsOf('validation:start')).toHaveLength(0)
    expect(find('empty-state').text()).toContain('Compare now')
    await find('validation-start').trigger('click')
    expect(fake.callsOf('validation:start')[0]?.input).toEqual({ engine: 'event' })
    const status = { kind: 'running', startedAtMs: 0, progress: null } as const
    fake.emit('validation:changed', { engine: 'event', status })
    await flushPromises()
    await find('validation-cancel').trigger('click')
    expect(fake.callsOf('validation:cancel')[0]?.input).toEqual({ engine: 'event' })
    wrapper.unmount()
  })

  test('of another model are shown as such, and computed anew', async () => {
    const { find, fake, wrapper } = await openValidation(() => keptBy('2020.1'))
    expect(find('validation-kept').text()).toContain('another model than now')
    expect(fake.callsOf('validation:start')).toHaveLength(1)
    wrapper.unmount()
  })

  test('a failure is said', async () => {
    const failed = { kind: 'failed', message: 'out of memory' } as const
    const { find, wrapper } = await openValidation(() => ({ status: failed, kept: null }))
    expect(find('validation-progress').text()).toContain('out of memory')
    wrapper.unmount()
  })
})
