import { flushPromises } from '@vue/test-utils'
import { expect, test } from 'vitest'
import ResultPage from '#renderer/features/result/ResultPage.vue'
import type { Experiment } from '#shared/ipc/contract.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { makeExperiment, makeRun } from '#test/src-renderer/support/make-experiment.ts'
import { mountInApp } from '#test/src-renderer/support/mount-app.ts'
import { giveElementsASize } from '#test/src-renderer/support/give-elements-a-size.ts'

giveElementsASize()

async function openResult(experiment: () => Experiment) {
  const fake = createFakeApi({
    'experiment:get': experiment,
    'experiment:start': () => ({ experimentId: 2, reused: false }),
    'experiment:annotate': () => null,
    'experiment:list': () => [],
    'job:cancel': () => null,
  })
  const { wrapper, router } = mountInApp(ResultPage, fake, { experimentId: 1 })
  await flushPromises()
  return { fake, wrapper, router, find: (id: string) => wrapper.find(`[data-testid="${id}"]`) }
}

test('a run is followed until its numbers are there', async () => {
  let run = makeRun({ id: 3, status: 'running', document: null })
  const { fake, find } = await openResult(() => makeExperiment({ runs: [run] }))
  expect(find('result-table').exists()).toBe(false)
  fake.emit('job:event', {
    kind: 'progress',
    runId: 3,
    progress: { phase: 'softmax', done: 3, total: 4 },
  })
  await flushPromises()
  expect(find('run-flat-hc').text()).toContain('75 % softmax')
  expect(find('progress').attributes('value')).toBe('75')
  run = makeRun({ id: 3 })
  fake.emit('job:event', { kind: 'done', runId: 3 })
  await flushPromises()
  expect(find('run-list').exists()).toBe(false)
  expect(find('result-table').exists()).toBe(true)
})

test('a run can be cancelled', async () => {
  const run = makeRun({ id: 3, status: 'queued', document: null })
  const { fake, find } = await openResult(() => makeExperiment({ runs: [run] }))
  await find('cancel').trigger('click')
  expect(fake.callsOf('job:cancel')[0]?.input).toEqual({ runId: 3 })
})

test('a broken run shows why, and can be run again', async () => {
  const run = makeRun({ status: 'crashed', message: 'the worker was killed', document: null })
  const { fake, router, find } = await openResult(() => makeExperiment({ runs: [run] }))
  expect(find('run-message').text()).toBe('the worker was killed')
  await find('run-missing').trigger('click')
  await flushPromises()
  expect(fake.callsOf('experiment:start')[0]?.input).toMatchObject({ again: true })
  expect(router.currentRoute.value.path).toBe('/experiments/2')
})

test('numbers of an older model are marked', async () => {
  const { find } = await openResult(() => makeExperiment({ runs: [makeRun({ stale: true })] }))
  expect(find('stale').exists()).toBe(true)
})

test('tags are kept at once, with the note', async () => {
  const { fake, find } = await openResult(() => makeExperiment({ note: 'why', tags: ['a'] }))
  await find('tag-input').setValue('isca')
  await find('tag-input').trigger('keydown', { key: 'Enter' })
  expect(fake.callsOf('experiment:annotate')[0]?.input).toEqual({
    id: 1,
    note: 'why',
    tags: ['a', 'isca'],
  })
})

test('a note is kept when its field is left, if it was changed', async () => {
  const { fake, find } = await openResult(() => makeExperiment({ note: 'why' }))
  await find('note').trigger('blur')
  expect(fake.callsOf('experiment:annotate')).toHaveLength(0)
  await find('note').setValue('because')
  await find('note').trigger('blur')
  expect(fake.callsOf('experiment:annotate')[0]?.input).toMatchObject({ note: 'because' })
})

test('an experiment that is not there says so', async () => {
  const { find } = await openResult(() => {
    throw new Error('there is no experiment 1')
  })
  expect(find('empty-state').text()).toContain('there is no experiment 1')
})

test('a run of the phase engine offers to be simulated with the event engine', async () => {
  const { fake, router, find } = await openResult(() => makeExperiment())
  expect(find('mesh-panel').exists()).toBe(false)
  await find('run-event').trigger('click')
  await flushPromises()
  expect(fake.callsOf('experiment:start')[0]?.input).toMatchObject({
    spec: { engine: 'event' },
    again: false,
  })
  expect(router.currentRoute.value.path).toBe('/experiments/2')
})
