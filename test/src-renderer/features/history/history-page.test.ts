import { flushPromises } from '@vue/test-utils'
import { describe, expect, test } from 'vitest'
import HistoryPage from '#renderer/features/history/HistoryPage.vue'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { makeSummary } from '#test/src-renderer/support/make-experiment.ts'
import { mountInApp } from '#test/src-renderer/support/mount-app.ts'

async function openHistory(count: number) {
  const fake = createFakeApi({
    'experiment:list': ({ trashed }) =>
      trashed
        ? []
        : Array.from({ length: count }, (_, index) =>
            makeSummary({ id: index + 1, name: `Run ${String(index + 1)}`, createdAtMs: index }),
          ),
    'experiment:trash': () => null,
    'experiment:rename': () => null,
  })
  const { wrapper, router } = mountInApp(HistoryPage, fake)
  await flushPromises()
  return { fake, wrapper, router, rows: () => wrapper.findAll('[data-testid=history-row]') }
}

test('an empty history says what to do', async () => {
  const { wrapper } = await openHistory(0)
  expect(wrapper.find('[data-testid=empty-state]').text()).toContain('Go to the Lab')
})

test('thousands of rows are shown page by page, newest first', async () => {
  const { wrapper, rows } = await openHistory(5000)
  expect(rows()).toHaveLength(50)
  expect(rows()[0]?.text()).toContain('Run 5000')
  expect(wrapper.find('[data-testid=history-count]').text()).toBe('5000 of 5000')
  await wrapper.find('[data-testid=history-search]').setValue('run 4999')
  expect(wrapper.find('[data-testid=history-count]').text()).toBe('1 of 5000')
})

test('a search without a hit says so', async () => {
  const { wrapper } = await openHistory(3)
  await wrapper.find('[data-testid=history-search]').setValue('nothing like it')
  expect(wrapper.find('[data-testid=empty-state]').text()).toContain('No experiment matches')
})

describe('a selection', () => {
  test('is compared', async () => {
    const { wrapper, rows, router } = await openHistory(3)
    await rows()[0]?.find('[data-testid=select-row]').setValue(true)
    await rows()[2]?.find('[data-testid=select-row]').setValue(true)
    await wrapper.find('[data-testid=compare-selected]').trigger('click')
    await flushPromises()
    expect(router.currentRoute.value.fullPath).toBe('/compare?experiments=3,1')
  })

  test('is moved to the trash', async () => {
    const { fake, wrapper } = await openHistory(3)
    await wrapper.find('[data-testid=select-page]').setValue(true)
    await wrapper.find('[data-testid=trash-selected]').trigger('click')
    expect(fake.callsOf('experiment:trash')[0]?.input).toEqual({ ids: [3, 2, 1] })
  })

  test('of nothing cannot be compared', async () => {
    const { wrapper } = await openHistory(1)
    expect(wrapper.find('[data-testid=compare-selected]').attributes('disabled')).toBeDefined()
  })
})

test('a name is edited in place', async () => {
  const { fake, rows } = await openHistory(1)
  await rows()[0]?.find('[data-testid=inline-edit]').trigger('click')
  const input = rows()[0]?.find<HTMLInputElement>('[data-testid=inline-input]')
  await input?.setValue('  Better name ')
  await input?.trigger('keydown', { key: 'Enter' })
  expect(fake.callsOf('experiment:rename')[0]?.input).toEqual({ id: 1, name: 'Better name' })
})
