import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { shallowRef } from 'vue'
import { useLatestReply } from '#renderer/composables/useLatestReply.ts'
import type { DecodeEstimate, Input } from '#shared/ipc/contract.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { createFakeConnection, withApp } from '#test/src-renderer/support/mount-app.ts'
import { makeDecodeInput } from '#test/support/make-decode-input.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A host whose answers come when the test lets them. */
function slowHost() {
  const waiting: (() => void)[] = []
  const fake = createFakeApi({
    'decode:estimate': input =>
      new Promise<DecodeEstimate>(resolve => {
        const message = String(input.deployment.batchPerChip)
        waiting.push(() => {
          resolve({ kind: 'infeasible', message })
        })
      }),
  })
  const answer = async () => {
    waiting.shift()?.()
    await flushPromises()
    await vi.advanceTimersByTimeAsync(0)
  }
  const input = shallowRef<Input<'decode:estimate'> | undefined>(
    makeDecodeInput({ batchPerChip: 1 }),
  )
  const { connection, reconnect } = createFakeConnection()
  const app = withApp(() => useLatestReply('decode:estimate', input, 100), fake, {
    ...createFakeConnection(),
    connection,
  })
  const asked = () =>
    fake
      .callsOf('decode:estimate')
      .map(call => (call.input as ReturnType<typeof makeDecodeInput>).deployment.batchPerChip)
  const edit = async (batchPerChip: number) => {
    input.value = makeDecodeInput({ batchPerChip })
    await vi.advanceTimersByTimeAsync(150)
  }
  return { ...app, asked, answer, edit, input, reconnect }
}

test('one request at a time; of what changes meanwhile only the last is asked for', async () => {
  const { result, asked, answer, edit } = slowHost()
  await vi.advanceTimersByTimeAsync(0)
  await edit(2)
  await edit(3)
  expect(asked()).toEqual([1])
  await answer()
  expect(asked()).toEqual([1, 3])
  expect(result.isOld.value).toBe(true)
  await answer()
  expect(result.reply.value).toEqual({ kind: 'infeasible', message: '3' })
  expect([result.isOld.value, result.isBusy.value]).toEqual([false, false])
})

test('what says the same is not asked again, but is after the host was away', async () => {
  const { asked, answer, edit, reconnect } = slowHost()
  await vi.advanceTimersByTimeAsync(0)
  await answer()
  await edit(1)
  expect(asked()).toEqual([1])
  reconnect()
  await vi.advanceTimersByTimeAsync(0)
  expect(asked()).toEqual([1, 1])
})

test('while the input is not valid, the last answer stays as an old one', async () => {
  const { result, answer, input } = slowHost()
  await vi.advanceTimersByTimeAsync(0)
  await answer()
  input.value = undefined
  await flushPromises()
  expect(result.reply.value).toEqual({ kind: 'infeasible', message: '1' })
  expect([result.isOld.value, result.isBusy.value]).toEqual([true, false])
})

test('nothing is asked for once the page is left', async () => {
  const { asked, answer, edit, stop } = slowHost()
  await vi.advanceTimersByTimeAsync(0)
  await edit(2)
  stop()
  await answer()
  expect(asked()).toEqual([1])
})
