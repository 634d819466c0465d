import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { shallowRef } from 'vue'
import { useDecodeSweep } from '#renderer/composables/useDecodeSweep.ts'
import { firstWaferDraft, sweepInputOf } from '#renderer/state/wafer-draft.ts'
import type { DecodeSweep, Input } from '#shared/ipc/contract.ts'
import type { PlanInput } from '#shared/schema/plan-input.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { createFakeConnection, withApp } from '#test/src-renderer/support/mount-app.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function inputOf(kvLength: number): PlanInput {
  const draft = firstWaferDraft()
  const input = sweepInputOf({ ...draft, deployment: { ...draft.deployment, kvLength } })
  if (input === undefined) throw new Error('the first draft is refused')
  return input
}

/** A host whose sweeps last until the test ends them, or they are cancelled. */
function slowHost() {
  const waiting = new Map<string, (answer: DecodeSweep) => void>()
  const fake = createFakeApi({
    'decode:sweep': ({ sweepId }) =>
      new Promise<DecodeSweep>(resolve => waiting.set(sweepId, resolve)),
    'decode:cancel': ({ sweepId }) => {
      waiting.get(sweepId)?.({ kind: 'cancelled' })
      return null
    },
  })
  const input = shallowRef<PlanInput | undefined>(inputOf(4096))
  const { connection, reconnect } = createFakeConnection()
  const app = withApp(() => useDecodeSweep(input, 100), fake, {
    ...createFakeConnection(),
    connection,
  })
  const asked = () => fake.callsOf('decode:sweep').map(call => call.input as Input<'decode:sweep'>)
  const lengths = () => asked().map(call => call.input.deployment.kvLength)
  const cancelled = () =>
    fake.callsOf('decode:cancel').map(call => (call.input as Input<'decode:cancel'>).sweepId)
  const idAt = (index: number) => asked()[index]?.sweepId ?? ''
  const answer = async (index: number, message: string) => {
    waiting.get(idAt(index))?.({ kind: 'infeasible', message })
    await flushPromises()
  }
  const settle = () => vi.advanceTimersByTimeAsync(150)
  return { ...app, fake, input, reconnect, lengths, cancelled, idAt, answer, settle }
}

test('a sweep tells its share and the time that is left, and only its own', async () => {
  const { result, fake, idAt, answer, settle } = slowHost()
  await settle()
  expect(result.isBusy.value).toBe(true)
  fake.emit('decode:progress', { sweepId: 'of another page', done: 50, total: 100 })
  expect(result.progress.value).toBeUndefined()
  await vi.advanceTimersByTimeAsync(850)
  fake.emit('decode:progress', { sweepId: idAt(0), done: 25, total: 100 })
  expect(result.progress.value?.fraction).toBe(0.25)
  expect(result.progress.value?.remainingSeconds).toBeCloseTo(3, 0)
  await answer(0, 'done')
  expect(result.reply.value).toMatchObject({ message: 'done' })
  expect(result.progress.value).toBeUndefined()
  expect(result.isBusy.value).toBe(false)
  expect(result.isOld.value).toBe(false)
})

test('an edit cancels the sweep that is under way; what it still says is not heard', async () => {
  const { result, input, lengths, cancelled, idAt, answer, settle } = slowHost()
  await settle()
  input.value = inputOf(2048)
  await settle()
  expect(cancelled()).toEqual([idAt(0)])
  expect(lengths()).toEqual([4096, 2048])
  await answer(0, 'late')
  expect(result.reply.value).toBeUndefined()
  await answer(1, 'new')
  expect(result.reply.value).toMatchObject({ message: 'new' })
})

test('an equal input is not swept again, and leaves the sweep alone', async () => {
  const { input, lengths, cancelled, answer, settle } = slowHost()
  await settle()
  input.value = inputOf(4096)
  await settle()
  await answer(0, 'done')
  input.value = inputOf(4096)
  await settle()
  expect(lengths()).toEqual([4096])
  expect(cancelled()).toEqual([])
})

test('cancelled by hand it rests, until it is started or the input changes', async () => {
  const { result, input, lengths, cancelled, idAt, settle } = slowHost()
  await settle()
  result.stop()
  await settle()
  expect(cancelled()).toEqual([idAt(0)])
  expect([result.isStopped.value, result.isBusy.value]).toEqual([true, false])
  expect(lengths()).toEqual([4096])
  result.start()
  await settle()
  expect([result.isStopped.value, result.isBusy.value]).toEqual([false, true])
  result.stop()
  input.value = inputOf(2048)
  await settle()
  expect(lengths()).toEqual([4096, 4096, 2048])
})

test('an input that is not valid cancels, and keeps the last answer as an old one', async () => {
  const { result, input, cancelled, answer, settle } = slowHost()
  await settle()
  await answer(0, 'done')
  input.value = inputOf(2048)
  await settle()
  input.value = undefined
  await settle()
  expect(cancelled()).toHaveLength(1)
  expect([result.isOld.value, result.isBusy.value]).toEqual([true, false])
  expect(result.reply.value).toMatchObject({ message: 'done' })
})

test('after a lost connection it is swept again; whoever leaves cancels', async () => {
  const { reconnect, lengths, cancelled, idAt, settle, stop } = slowHost()
  await settle()
  reconnect()
  await settle()
  expect(lengths()).toEqual([4096, 4096])
  stop()
  expect(cancelled()).toEqual([idAt(1)])
})
