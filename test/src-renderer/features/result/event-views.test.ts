import { enableAutoUnmount, flushPromises } from '@vue/test-utils'
import { afterEach, expect, test } from 'vitest'
import EventViews from '#renderer/features/result/EventViews.vue'
import { finishedRuns } from '#renderer/results/run-view.ts'
import type { EventReport } from '#shared/results/event-report.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { makeDocument } from '#test/src-renderer/support/make-document.ts'
import { makeExperiment, makeRun } from '#test/src-renderer/support/make-experiment.ts'
import { mountInApp } from '#test/src-renderer/support/mount-app.ts'

enableAutoUnmount(afterEach)

/** Runs of the event engine; of their reports only the presence matters here. */
const eventRun = (id: number, dataflow: 'flat-hc' | 'flat-async') =>
  makeRun({
    id,
    dataflow,
    document: { ...makeDocument({}, { dataflow }), event: {} as EventReport },
  })

test('of several runs the first is shown and named, and another can be chosen', async () => {
  const experiment = makeExperiment({ runs: [eventRun(1, 'flat-hc'), eventRun(2, 'flat-async')] })
  const fake = createFakeApi()
  const runs = finishedRuns([experiment])
  const { wrapper } = mountInApp(EventViews, fake, { experiment, runs, isDark: false })
  const asked = async () => {
    await new Promise(resolve => setTimeout(resolve, 5))
    await flushPromises()
    return fake.callsOf('event:activity').map(({ input }) => input)
  }
  const select = wrapper.get<HTMLSelectElement>('[data-testid=mesh-run]')
  expect(select.element.value).toBe('1:flat-hc')
  expect(await asked()).toEqual([{ runId: 1 }])
  await select.setValue('1:flat-async')
  expect(await asked()).toEqual([{ runId: 1 }, { runId: 2 }])
})

test('runs of the phase engine say how to get a mesh', () => {
  const experiment = makeExperiment()
  const runs = finishedRuns([experiment])
  const { wrapper } = mountInApp(EventViews, createFakeApi(), { experiment, runs, isDark: false })
  expect(wrapper.text()).toContain('Simulate with the event engine to see tiles and links')
})
