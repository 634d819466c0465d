import { flushPromises } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { useExperimentStore } from '#renderer/state/experiment-store.ts'
import { ApiError } from '#shared/ipc/api-error.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { makeSummary } from '#test/src-renderer/support/make-experiment.ts'
import { createFakeConnection, withApp } from '#test/src-renderer/support/mount-app.ts'

const listing = () =>
  createFakeApi({
    'experiment:list': ({ trashed }) =>
      trashed
        ? [makeSummary({ id: 9 })]
        : [makeSummary({ id: 1, createdAtMs: 10 }), makeSummary({ id: 2, createdAtMs: 20 })],
    'experiment:trash': () => null,
  })

test('the history comes newest first, the trash apart', async () => {
  const { result: store } = withApp(useExperimentStore, listing())
  await store.load()
  expect(store.newestFirst.map(({ id }) => id)).toEqual([2, 1])
  expect(store.trashed.map(({ id }) => id)).toEqual([9])
  expect(store.loadState).toEqual({ kind: 'ready' })
})

test('a failure is told', async () => {
  const fake = createFakeApi({
    'experiment:list': () => {
      throw new ApiError('storage', 'database is locked')
    },
  })
  const { result: store } = withApp(useExperimentStore, fake)
  await store.load()
  expect(store.loadState).toEqual({ kind: 'failed', message: 'database is locked' })
})

test('it is loaded again when it has changed, once it is in use', async () => {
  const fake = listing()
  const { result: store } = withApp(useExperimentStore, fake)
  fake.emit('history:changed', null)
  await flushPromises()
  expect(fake.calls).toHaveLength(0)
  await store.load()
  fake.emit('history:changed', null)
  await flushPromises()
  expect(fake.callsOf('experiment:list')).toHaveLength(4)
})

test('changes while it loads are not missed and not loaded one by one', async () => {
  const fake = listing()
  const { result: store } = withApp(useExperimentStore, fake)
  const loading = store.load()
  for (let change = 0; change < 5; change++) fake.emit('history:changed', null)
  await loading
  expect(fake.callsOf('experiment:list')).toHaveLength(4)
})

test('it is loaded again after a reconnection', async () => {
  const fake = listing()
  const link = createFakeConnection()
  const { result: store } = withApp(useExperimentStore, fake, link)
  await store.load()
  link.reconnect()
  await flushPromises()
  expect(fake.callsOf('experiment:list')).toHaveLength(4)
})

test('what is moved to the trash is asked for with plain ids', async () => {
  const fake = listing()
  const { result: store } = withApp(useExperimentStore, fake)
  await store.trash([1, 2])
  expect(fake.callsOf('experiment:trash')[0]?.input).toEqual({ ids: [1, 2] })
})
