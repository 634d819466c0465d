import { flushPromises } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { useExperiments } from '#renderer/composables/useExperiments.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { makeExperiment, makeRun } from '#test/src-renderer/support/make-experiment.ts'
import { withApp } from '#test/src-renderer/support/mount-app.ts'

const fakeOf = () =>
  createFakeApi({
    'experiment:get': ({ id }) => {
      if (id === 404) throw new Error('no experiment 404')
      return makeExperiment({ id, runs: [makeRun({ id: id * 10, status: 'running' })] })
    },
  })

test('experiments come in the order in which they were asked for', async () => {
  const { result } = withApp(() => useExperiments([3, 1]), fakeOf())
  expect(result.loadState.value).toEqual({ kind: 'loading' })
  await flushPromises()
  expect(result.experiments.value.map(({ id }) => id)).toEqual([3, 1])
})

test('they are loaded again when one of their runs ends, not for progress or other runs', async () => {
  const fake = fakeOf()
  withApp(() => useExperiments([1]), fake)
  await flushPromises()
  fake.emit('job:event', { kind: 'started', runId: 10 })
  fake.emit('job:event', { kind: 'done', runId: 20 })
  await flushPromises()
  expect(fake.calls).toHaveLength(1)
  fake.emit('job:event', { kind: 'done', runId: 10 })
  await flushPromises()
  expect(fake.calls).toHaveLength(2)
})

test('one that is missing makes them fail with its message', async () => {
  const { result } = withApp(() => useExperiments([1, 404]), fakeOf())
  await flushPromises()
  expect(result.loadState.value).toEqual({ kind: 'failed', message: 'no experiment 404' })
})

test('events are no longer heard when the page is left', async () => {
  const fake = fakeOf()
  const { stop } = withApp(() => useExperiments([1]), fake)
  await flushPromises()
  stop()
  fake.emit('history:changed', null)
  expect(fake.calls).toHaveLength(1)
})
