import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { shallowRef } from 'vue'
import { useLiveEstimates } from '#renderer/composables/useLiveEstimates.ts'
import { ApiError } from '#shared/ipc/api-error.ts'
import type { Estimate } from '#shared/ipc/contract.ts'
import type { ExperimentSpec } from '#shared/schema/attention-input.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { makeDocument } from '#test/src-renderer/support/make-document.ts'
import { makeExperiment } from '#test/src-renderer/support/make-experiment.ts'
import { withApp } from '#test/src-renderer/support/mount-app.ts'

const { spec } = makeExperiment()
const withBatch = (batch: number): ExperimentSpec => ({
  ...spec,
  workload: { ...spec.workload, batch },
})

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function estimating(answer?: (batch: number) => Estimate | Promise<Estimate>) {
  const fake = createFakeApi({
    'attention:estimate': input =>
      answer?.(input.workload.batch) ?? {
        kind: 'estimate',
        document: makeDocument({ seconds: input.workload.batch }, input),
      },
  })
  const current = shallowRef<ExperimentSpec | undefined>(withBatch(1))
  const { result, stop } = withApp(() => useLiveEstimates(current), fake)
  const seconds = () => {
    const estimate = result.estimates.value.get('flat-hc')
    return estimate?.kind === 'estimate' ? estimate.document.result.seconds : undefined
  }
  const settle = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    await flushPromises()
  }
  return { fake, current, result, stop, seconds, settle }
}

test('what is typed in quick succession is estimated once', async () => {
  const { fake, current, seconds, settle } = estimating()
  await settle(0)
  expect(seconds()).toBe(1)
  current.value = withBatch(2)
  await settle(40)
  current.value = withBatch(3)
  await settle(80)
  expect(seconds()).toBe(3)
  expect(fake.calls).toHaveLength(2)
})

test('the latest edit wins although an earlier answer comes later', async () => {
  const release: (() => void)[] = []
  const { current, seconds, settle } = estimating(
    batch =>
      new Promise(resolve => {
        release[batch] = () => {
          resolve({ kind: 'estimate', document: makeDocument({ seconds: batch }) })
        }
      }),
  )
  await settle(0)
  current.value = withBatch(2)
  await settle(80)
  release[2]?.()
  await settle(0)
  release[1]?.()
  await settle(0)
  expect(seconds()).toBe(2)
})

test('while the configuration is invalid, the last numbers stay and are marked', async () => {
  const { current, result, seconds, settle } = estimating()
  await settle(0)
  expect(result.isOld.value).toBe(false)
  current.value = undefined
  await settle(200)
  expect(seconds()).toBe(1)
  expect(result.isOld.value).toBe(true)
})

test('a mapping that does not fit says so', async () => {
  const { result, settle } = estimating(() => ({ kind: 'infeasible', message: 'needs 500 KiB' }))
  await settle(0)
  expect(result.estimates.value.get('flat-hc')).toEqual({
    kind: 'infeasible',
    message: 'needs 500 KiB',
  })
})

test('a failed request is shown at its dataflow', async () => {
  const { result, settle } = estimating(() => {
    throw new ApiError('bad-input', 'chip.tiles.x: must be positive')
  })
  await settle(0)
  expect(result.estimates.value.get('flat-hc')).toEqual({
    kind: 'failed',
    message: 'chip.tiles.x: must be positive',
  })
})

test('nothing is asked any more after the panel is gone', async () => {
  const { fake, current, stop, settle } = estimating()
  await settle(0)
  current.value = withBatch(2)
  stop()
  await settle(200)
  expect(fake.calls).toHaveLength(1)
})
