import { fork, spawn } from 'node:child_process'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { WorkerEndpoint, WorkerExit } from '#main/jobs/endpoint.ts'
import { launchNodeWorker } from '#main/jobs/node-endpoint.ts'
import { makeDocument, makeInput, makeSpecNamed } from '#test/support/main-inputs.ts'
import { launchRealWorker, launchStandInWorker, supportFile } from '#test/support/main-launch.ts'
import { nextMessage } from '#test/support/main-processes.ts'
import { makeQueue } from '#test/support/main-queue.ts'

// Processes are started, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const standIn = (maxWorkers = 1, cancelGraceMs = 200) =>
  makeQueue({ launchWorker: launchStandInWorker, maxWorkers, cancelGraceMs })
const job = (runId: number, name = 'quick') => ({ runId, input: makeInput(makeSpecNamed(name)) })

const exitOf = (worker: WorkerEndpoint): Promise<WorkerExit> =>
  new Promise(resolve => {
    worker.onExit(resolve)
  })

test('the real worker returns the document that the model makes', async () => {
  const { queue, until } = makeQueue({ launchWorker: launchRealWorker, maxWorkers: 1 })
  queue.add({ runId: 1, input: makeInput() })
  expect(await until('done', 1)).toMatchObject({ document: makeDocument() })
})

test('a long run reports progress, and can be cancelled; its worker goes on', async () => {
  const { queue, until, order } = standIn()
  queue.add(job(1, 'endless'))
  queue.add(job(2))
  expect(await until('progress', 1)).toMatchObject({ progress: { phase: 'spin' } })
  queue.cancel(1)
  await until('done', 2)
  expect(order()).toEqual(['started 1', 'cancelled 1', 'started 2', 'done 2'])
})

test('a run that never looks up is killed after the grace time', async () => {
  const { queue, until, order } = standIn()
  queue.add(job(1, 'deaf'))
  queue.add(job(2))
  await setTimeout(300)
  queue.cancel(1)
  await until('done', 2)
  expect(order()).toEqual(['started 1', 'cancelled 1', 'started 2', 'done 2'])
})

test('a worker that ends itself has crashed, and the next job still runs', async () => {
  const { queue, until } = standIn()
  queue.add(job(1, 'exits'))
  queue.add(job(2))
  expect(await until('crashed', 1)).toMatchObject({
    message: 'the worker process ended with exit code 3 before it had a result',
  })
  await until('done', 2)
})

test('a worker that is killed mid-run has crashed, and the next job still runs', async () => {
  const workers: WorkerEndpoint[] = []
  const launchWorker = () => {
    const worker = launchStandInWorker()
    workers.push(worker)
    return worker
  }
  const { queue, until } = makeQueue({ launchWorker, maxWorkers: 1 })
  queue.add(job(1, 'endless'))
  queue.add(job(2))
  await until('progress', 1)
  workers[0]?.kill()
  expect(await until('crashed', 1)).toMatchObject({
    message: 'the worker process was killed by SIGKILL before it had a result',
  })
  await until('done', 2)
  expect(workers).toHaveLength(2)
})

test('an uncaught error ends the worker, and its last words are told', async () => {
  const { queue, until } = standIn()
  queue.add(job(1, 'throws-later'))
  expect(await until('crashed', 1)).toMatchObject({
    message:
      'the worker process ended with exit code 1 before it had a result: Error: out of cheese',
  })
})

test.each([
  ['infeasible', 'needs 512 KiB of L1, the tile has 384 KiB'],
  ['broken', 'the model failed: not a finite quantity: NaN'],
])('a simulation that is %s fails, and its worker goes on', async (name, message) => {
  const { queue, until, events } = standIn()
  queue.add(job(1, name))
  queue.add(job(2))
  await until('done', 2)
  expect(events).toContainEqual({ kind: 'failed', runId: 1, message })
})

test('two workers run side by side', async () => {
  const { queue, until, order } = standIn(2)
  queue.add(job(1, 'endless'))
  queue.add(job(2, 'endless'))
  await Promise.all([until('progress', 1), until('progress', 2)])
  await queue.close()
  expect(order()).toEqual(['started 1', 'started 2', 'cancelled 1', 'cancelled 2'])
})

test('a malformed request ends the worker', async () => {
  const worker = launchRealWorker()
  const exit = exitOf(worker)
  worker.send({ kind: 'run', runId: -1 })
  expect((await exit).code).toBe(1)
})

test('a file that is no worker is reported as an exit with the reason', async () => {
  const exit = await exitOf(launchNodeWorker('/nowhere/worker.ts'))
  expect(exit.code).toBe(1)
  expect(exit.detail).toContain('/nowhere/worker.ts')
})

test('a worker without a parent says so', async () => {
  const file = supportFile('../../src-main/jobs/worker.ts')
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let text = ''
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const code = await new Promise(resolve => child.once('close', resolve))
  expect(code).toBe(1)
  expect(text).toContain('a worker is started by Tessera')
})

test('a worker ends with the process that started it, also in the middle of a run', async () => {
  const child = fork(fileURLToPath(new URL('../../../src-main/jobs/worker.ts', import.meta.url)), {
    execArgv: [],
    serialization: 'advanced',
    env: { ...process.env, TESSERA_WORKER_STEP_DELAY_MS: '60000' },
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const ended = new Promise(resolve => {
    child.once('exit', resolve)
  })
  child.send({ kind: 'run', runId: 1, input: makeInput() })
  await nextMessage(child) // it reports progress: it is in a run, which would last three minutes
  child.disconnect()
  expect(await ended).toBe(0)
})
