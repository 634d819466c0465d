import { flushPromises, type VueWrapper } from '@vue/test-utils'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import ReportPage from '#renderer/features/report/ReportPage.vue'
import { useAppStore } from '#renderer/state/app-store.ts'
import type { Experiment } from '#shared/ipc/contract.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { makeExperiment, makeRun } from '#test/src-renderer/support/make-experiment.ts'
import { mountInApp } from '#test/src-renderer/support/mount-app.ts'
import { giveElementsASize } from '#test/src-renderer/support/give-elements-a-size.ts'

giveElementsASize()

const marks = document.documentElement.dataset

beforeEach(() => {
  delete marks.reportReady
  delete marks.reportMessage
  Object.defineProperty(document, 'fonts', {
    value: { ready: Promise.resolve() },
    configurable: true,
  })
})

let opened: VueWrapper | undefined
afterEach(() => {
  opened?.unmount()
})

async function openReport(experimentIds: number[], experiment: (id: number) => Experiment) {
  const fake = createFakeApi({ 'experiment:get': ({ id }) => experiment(id) })
  const { wrapper } = mountInApp(ReportPage, fake, { experimentIds })
  void useAppStore().load()
  await flushPromises()
  opened = wrapper
  return wrapper
}

test('a report has results, configuration, explanations and provenance', async () => {
  const wrapper = await openReport([1], id => makeExperiment({ id }))
  const text = wrapper.text()
  for (const part of ['Results', 'Charts', 'Configuration', 'Provenance', 'a'.repeat(64)]) {
    expect(text).toContain(part)
  }
  expect(text).not.toMatch(/NaN|Infinity|undefined/)
  expect(wrapper.find('button').exists()).toBe(false)
})

test('a report is ready once its charts are drawn', async () => {
  await openReport([1], id => makeExperiment({ id }))
  await vi.waitFor(
    () => {
      expect(marks.reportReady).toBe('true')
    },
    { timeout: 4000 },
  )
})

test('several runs are set against the first', async () => {
  const wrapper = await openReport([1, 2], id => makeExperiment({ id }))
  expect(wrapper.find('[data-testid=report-differences]').exists()).toBe(true)
  expect(wrapper.find('[data-testid=experiment-key]').exists()).toBe(true)
})

test.each([
  ['no experiment', [], () => makeExperiment(), 'the address names no experiment'],
  [
    'a missing experiment',
    [4],
    () => {
      throw new Error('there is no experiment 4')
    },
    'there is no experiment 4',
  ],
  [
    'runs without result',
    [1],
    () => makeExperiment({ runs: [makeRun({ document: null, status: 'failed' })] }),
    'none of these experiments has a result yet',
  ],
])('%s fails with a message', async (_, ids, experiment, message) => {
  await openReport(ids, experiment)
  expect(marks.reportReady).toBe('failed')
  expect(marks.reportMessage).toBe(message)
})
