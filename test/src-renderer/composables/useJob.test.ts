import { afterEach, describe, expect, test, vi } from 'vitest'
import { useJob } from '#renderer/composables/useJob.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { createFakeConnection, withApp } from '#test/src-renderer/support/mount-app.ts'

const follow = (
  status: 'queued' | 'running' | 'done' = 'queued',
  link = createFakeConnection(),
) => {
  const fake = createFakeApi({ 'job:cancel': () => null })
  const { result: job } = withApp(() => useJob({ id: 7, status }), fake, link)
  return { job, fake, link }
}

describe('status', () => {
  test('is what the history knew until something is heard', () => {
    const { job, fake } = follow()
    expect(job.status.value).toBe('queued')
    fake.emit('job:event', { kind: 'started', runId: 7 })
    expect(job.status.value).toBe('running')
    fake.emit('job:event', { kind: 'crashed', runId: 7, message: 'gone' })
    expect(job.status.value).toBe('crashed')
    expect(job.isOpen.value).toBe(false)
  })

  test('is not touched by other runs', () => {
    const { job, fake } = follow()
    fake.emit('job:event', { kind: 'failed', runId: 8, message: 'no' })
    expect(job.status.value).toBe('queued')
  })

  test('of a finished run is not reopened by a late event', () => {
    const { job, fake } = follow('done')
    fake.emit('job:event', { kind: 'started', runId: 7 })
    expect(job.status.value).toBe('done')
  })

  test('heard before a disconnection is forgotten', () => {
    const { job, fake, link } = follow('queued')
    fake.emit('job:event', { kind: 'started', runId: 7 })
    link.reconnect()
    expect(job.status.value).toBe('queued')
  })
})

describe('progress', () => {
  test.each([
    [5, 20, 0.25],
    [30, 20, 1],
    [0, 0, undefined],
  ])('%d of %d is %s', (done, total, fraction) => {
    const { job, fake } = follow()
    fake.emit('job:event', { kind: 'progress', runId: 7, progress: { phase: 'loop', done, total } })
    expect(job.fraction.value).toBe(fraction)
  })
})

describe('the time that remains', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('follows from the pace since the first progress', () => {
    vi.useFakeTimers()
    const { job, fake } = follow()
    const progress = (done: number) => {
      const heard = { phase: 'loop', done, total: 100 }
      fake.emit('job:event', { kind: 'progress', runId: 7, progress: heard })
    }
    progress(20)
    expect(job.remainingSeconds.value).toBeUndefined()
    vi.advanceTimersByTime(3000)
    progress(50)
    expect(job.remainingSeconds.value).toBeCloseTo(5)
    fake.emit('job:event', { kind: 'done', runId: 7 })
    expect(job.remainingSeconds.value).toBeUndefined()
  })
})

test('cancel asks for the end of this run', async () => {
  const { job, fake } = follow('running')
  await job.cancel()
  expect(fake.callsOf('job:cancel').map(({ input }) => input)).toEqual([{ runId: 7 }])
})
