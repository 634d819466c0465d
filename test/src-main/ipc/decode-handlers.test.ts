import { beforeEach, expect, test } from 'vitest'
import { createDispatch, type Handlers } from '#main/ipc/dispatch.ts'
import { decodeHandlers } from '#main/ipc/handlers/decode-handlers.ts'
import type { Services } from '#main/ipc/services.ts'
import type { History } from '#main/storage/history.ts'
import type { DecodeEstimate, DecodeSweep, SweepProgress } from '#shared/ipc/contract.ts'
import { openTestHistory } from '#test/support/main-history.ts'
import { makeDecodeInput } from '#test/support/make-decode-input.ts'

let history: History
beforeEach(() => {
  history = openTestHistory().history
})
const heard: SweepProgress[] = []
const services = {
  changeHistory: <Result>(work: (kept: History) => Result): Result => work(history),
  reportSweep: (progress: SweepProgress) => {
    heard.push(progress)
  },
} as unknown as Services
const dispatch = createDispatch(decodeHandlers(services) as Handlers, line => {
  throw new Error(line)
})

async function ask(channel: string, input: unknown): Promise<unknown> {
  const reply = await dispatch(channel, input)
  if (!reply.ok) throw new Error(reply.message)
  return reply.value
}

const { system, model, deployment } = makeDecodeInput()

test('a deployment is answered with its document and the place of each chip', async () => {
  const reply = (await ask('decode:estimate', makeDecodeInput())) as DecodeEstimate
  if (reply.kind !== 'estimate') throw new Error(reply.message)
  const { result } = reply.document
  expect(result.tpotSeconds).toBeGreaterThan(0.034)
  expect(result.tpotSeconds).toBeLessThan(0.0376)
  expect(reply.chips).toHaveLength(64)
  expect(reply.chips[63]).toEqual({ stage: 1, replica: 0 })
})

test('a deployment is kept under its name, and found again', async () => {
  const input = makeDecodeInput({ batchPerChip: 64 })
  const first = await ask('decode:save', { input, name: '', again: false })
  expect(first).toMatchObject({ reused: false })
  expect(await ask('decode:save', { input, name: 'Other', again: false })).toEqual({
    ...(first as object),
    reused: true,
  })
  const { experimentId } = first as { experimentId: number }
  expect(history.get(experimentId).name).toMatch(/^DeepSeek.*EP32-PP2, batch 64, flat$/)
  await ask('decode:save', { input, name: 'Mine', again: true })
  expect(history.list(false).map(({ name }) => name)).toContain('Mine')
})

test('what does not fit is not kept, and says what is missing', async () => {
  const input = makeDecodeInput({ batchPerChip: 2048 })
  const reply = await dispatch('decode:save', { input, name: '', again: false })
  expect(reply).toMatchObject({ ok: false, code: 'infeasible' })
})

test('what does not fit is an answer that says what is missing', async () => {
  const reply = await ask('decode:estimate', makeDecodeInput({ batchPerChip: 2048 }))
  expect(reply).toMatchObject({ kind: 'infeasible' })
  expect((reply as { message: string }).message).toMatch(/GiB are missing.*nearest that fits/)
})

test('a split that the chips cannot be cut into is refused by name', async () => {
  const reply = await dispatch('decode:estimate', makeDecodeInput({ expertParallel: 3 }))
  expect(reply).toMatchObject({ ok: false, code: 'bad-input' })
  expect(JSON.stringify(reply)).toContain('deployment.expertParallel: must cut the 8 x 8 chips')
})

test('a sweep has a point for each choice, or why there is none', async () => {
  const search = { batches: [16, 4096], expertParallel: [32, 64], attentions: ['flat', 'flash'] }
  const input = { kind: 'plan', engine: 'phase', system, model, deployment, search }
  const reply = (await ask('decode:sweep', { sweepId: 'a', input })) as DecodeSweep
  if (reply.kind !== 'sweep') throw new Error(reply.kind)
  const { points, unfit, searched } = reply.document.result
  expect(points.length + unfit.length).toBe(searched)
  expect(points.every(({ batchPerChip }) => batchPerChip === 16)).toBe(true)
})

test('other requests are answered while a sweep goes on', async () => {
  const search = {
    batches: [8, 16, 32, 64, 128, 256],
    attentions: ['flat', 'flash'],
  }
  const input = { kind: 'plan', engine: 'phase', system, model, deployment, search }
  const order: string[] = []
  const sweep = ask('decode:sweep', { sweepId: 'a', input }).then(() => order.push('sweep'))
  const estimate = ask('decode:estimate', makeDecodeInput()).then(() => order.push('estimate'))
  await Promise.all([sweep, estimate])
  expect(order).toEqual(['estimate', 'sweep'])
})

test('a sweep tells how far it is, and ends at once when it is cancelled', async () => {
  const search = { batches: [8, 16, 32, 64, 128, 256], attentions: ['flat', 'flash'] }
  const input = { kind: 'plan', engine: 'phase', system, model, deployment, search }
  heard.length = 0
  const sweep = ask('decode:sweep', { sweepId: 'mine', input })
  await expect.poll(() => heard.length).toBeGreaterThan(1)
  expect(await ask('decode:cancel', { sweepId: 'another' })).toBeNull()
  await ask('decode:cancel', { sweepId: 'mine' })
  expect(await sweep).toEqual({ kind: 'cancelled' })
  expect(heard.every(({ sweepId }) => sweepId === 'mine')).toBe(true)
  expect(heard.every(({ done, total }) => done >= 0 && done < total)).toBe(true)
  const before = heard.length
  await new Promise(resolve => setTimeout(resolve, 150))
  expect(heard).toHaveLength(before)
})
