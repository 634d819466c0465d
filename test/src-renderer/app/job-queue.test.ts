import { enableAutoUnmount, flushPromises } from '@vue/test-utils'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { defineComponent, h } from 'vue'
import JobQueue from '#renderer/app/JobQueue.vue'
import { useEndNotices } from '#renderer/app/useEndNotices.ts'
import type { OpenRun } from '#shared/ipc/contract.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { mountInApp } from '#test/src-renderer/support/mount-app.ts'

enableAutoUnmount(afterEach)

const run = (id: number, changes: Partial<OpenRun> = {}): OpenRun => ({
  id,
  experimentId: 10 + id,
  name: `Experiment ${String(id)}`,
  dataflow: 'fa3',
  status: 'queued',
  ...changes,
})

const App = defineComponent({
  setup() {
    useEndNotices()
    return () => h(JobQueue)
  },
})

async function open(...lists: OpenRun[][]) {
  let turn = 0
  const fake = createFakeApi({
    'job:list': () => lists[Math.min(turn++, lists.length - 1)] ?? [],
    'job:cancel': () => null,
  })
  const mounted = mountInApp(App, fake)
  await flushPromises()
  const button = mounted.wrapper.get('[data-testid=queue-button]')
  const panel = mounted.wrapper.get('[data-testid=queue]')
  return { ...mounted, fake, button, panel }
}
const opened = Object.assign(new Event('toggle'), { newState: 'open' })

describe('the queue', () => {
  test('counts what is open, and is not there when nothing is', async () => {
    const { wrapper, fake, button } = await open([run(1), run(2)], [])
    expect(button.text()).toBe('2open runs')
    fake.emit('job:event', { kind: 'cancelled', runId: 2 })
    await flushPromises()
    expect(button.text()).toBe('1open run')
    fake.emit('history:changed', null)
    await flushPromises()
    expect(wrapper.get('.job-queue').attributes('style')).toContain('display: none')
  })

  test('shows the progress of each and cancels one or all', async () => {
    const { wrapper, fake, panel } = await open([run(1, { status: 'running' }), run(2)])
    panel.element.dispatchEvent(opened)
    fake.emit('job:event', {
      kind: 'progress',
      runId: 1,
      progress: { phase: 'loop', done: 1, total: 4 },
    })
    await flushPromises()
    expect(wrapper.get('[data-testid=queue-1]').text()).toContain('25 %')
    expect(wrapper.get('[data-testid=queue-2]').text()).toContain('waiting')
    await wrapper.get('[aria-label="Cancel FlashAttention-3, Experiment 2"]').trigger('click')
    expect(fake.callsOf('job:cancel').map(({ input }) => input)).toEqual([{ runId: 2 }])
    await panel.get('header button').trigger('click')
    expect(fake.callsOf('job:cancel')).toHaveLength(3)
  })
})

describe('the end of a run', () => {
  afterEach(() => {
    vi.useRealTimers()
    document.body.innerHTML = ''
  })

  test.each([
    { ms: 6000, route: '/lab', notices: 1 },
    { ms: 1000, route: '/lab', notices: 0 },
    { ms: 6000, route: '/experiments/11', notices: 0 },
  ])('after $ms ms is told $notices times on $route', async ({ ms, route, notices }) => {
    const { fake, router } = await open([run(1)])
    await router.push(route)
    vi.useFakeTimers({ toFake: ['performance'] })
    fake.emit('job:event', { kind: 'started', runId: 1 })
    vi.advanceTimersByTime(ms)
    fake.emit('job:event', { kind: 'done', runId: 1 })
    await flushPromises()
    const shown = [...document.querySelectorAll('.el-notification')].map(
      ({ textContent }) => textContent,
    )
    expect(shown).toHaveLength(notices)
    for (const text of shown) expect(text).toContain('FlashAttention-3 of Experiment 1 is done')
  })
})
