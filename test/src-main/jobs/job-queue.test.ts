import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { makeDocument, makeInput } from '#test/support/main-inputs.ts'
import { makeFakeWorker, makeQueue, type FakeWorker } from '#test/support/main-queue.ts'

const job = (runId: number) => ({ runId, input: makeInput() })
const doneMessage = (runId: number) => ({
  kind: 'done',
  runId,
  document: makeDocument(),
  elapsedMs: 2,
})

/** A queue whose workers are played by the test. */
function makeFakeQueue(
  maxWorkers: number,
  options: { idleMs?: number; cancelGraceMs?: number } = {},
) {
  const workers: FakeWorker[] = []
  const launchWorker = () => {
    const worker = makeFakeWorker()
    workers.push(worker)
    return worker
  }
  const worker = (index: number): FakeWorker => {
    const found = workers[index]
    if (found === undefined) throw new Error(`worker ${String(index)} was not started`)
    return found
  }
  return { ...makeQueue({ launchWorker, maxWorkers, ...options }), workers, worker }
}

describe('order', () => {
  test('no more workers than allowed run at once, first in is first out', () => {
    const { queue, workers, worker, order } = makeFakeQueue(2)
    for (const runId of [1, 2, 3, 4]) queue.add(job(runId))
    expect(workers).toHaveLength(2)
    expect(order()).toEqual(['started 1', 'started 2'])
    worker(1).say(doneMessage(2))
    expect(order().slice(2)).toEqual(['done 2', 'started 3'])
    worker(0).say(doneMessage(1))
    expect(order().slice(4)).toEqual(['done 1', 'started 4'])
    expect(workers).toHaveLength(2)
  })

  test('what has not ended is known, and whether it runs', () => {
    const { queue, worker } = makeFakeQueue(1)
    expect(queue.unfinished()).toEqual([])
    for (const runId of [1, 2, 3]) queue.add(job(runId))
    worker(0).say(doneMessage(1))
    expect(queue.unfinished()).toEqual([
      { runId: 2, isRunning: true },
      { runId: 3, isRunning: false },
    ])
  })

  test('an idle worker is used again', () => {
    const { queue, workers, worker } = makeFakeQueue(2)
    queue.add(job(1))
    worker(0).say(doneMessage(1))
    queue.add(job(2))
    expect(workers).toHaveLength(1)
    expect(worker(0).sent).toMatchObject([
      { kind: 'run', runId: 1 },
      { kind: 'run', runId: 2 },
    ])
  })

  test('a worker that stays idle is ended, and a later job gets a new one', async () => {
    const { queue, workers, worker, until } = makeFakeQueue(1, { idleMs: 1 })
    queue.add(job(1))
    worker(0).say(doneMessage(1))
    await setTimeout(20)
    expect(worker(0).isKilled).toBe(true)
    queue.add(job(2))
    expect(workers).toHaveLength(2)
    worker(1).say(doneMessage(2))
    await until('done', 2)
  })
})

test('progress is passed on', () => {
  const { queue, worker, events } = makeFakeQueue(1)
  queue.add(job(1))
  const progress = { kind: 'progress', runId: 1, progress: { phase: 'p', done: 1, total: 2 } }
  worker(0).say(progress)
  expect(events.at(-1)).toEqual(progress)
})

test('what a worker says about another run is ignored', () => {
  const { queue, worker, order } = makeFakeQueue(1)
  queue.add(job(1))
  worker(0).say(doneMessage(7))
  expect(order()).toEqual(['started 1'])
})

test('a failed run leaves its worker in use', () => {
  const { queue, worker, events, order } = makeFakeQueue(1)
  queue.add(job(1))
  queue.add(job(2))
  worker(0).say({ kind: 'failed', runId: 1, message: 'does not fit' })
  expect(events).toContainEqual({ kind: 'failed', runId: 1, message: 'does not fit' })
  expect(order()).toEqual(['started 1', 'failed 1', 'started 2'])
})

describe('cancel', () => {
  test('a job that waits never starts', () => {
    const { queue, worker, order } = makeFakeQueue(1)
    for (const runId of [1, 2, 3]) queue.add(job(runId))
    expect(queue.cancel(2)).toBe(true)
    worker(0).say(doneMessage(1))
    expect(order()).toEqual(['started 1', 'cancelled 2', 'done 1', 'started 3'])
  })

  test('a running job is asked to stop, and its worker is used again', () => {
    const { queue, worker, order } = makeFakeQueue(1)
    queue.add(job(1))
    queue.add(job(2))
    expect(queue.cancel(1)).toBe(true)
    expect(queue.cancel(1)).toBe(true)
    expect(worker(0).sent.slice(1)).toEqual([{ kind: 'cancel', runId: 1 }])
    worker(0).say({ kind: 'cancelled', runId: 1 })
    expect(order()).toEqual(['started 1', 'cancelled 1', 'started 2'])
    expect(worker(0).isKilled).toBe(false)
  })

  test('a job that does not listen is killed, and the next gets a new worker', async () => {
    const { queue, worker, workers, until, order } = makeFakeQueue(1, { cancelGraceMs: 1 })
    queue.add(job(1))
    queue.add(job(2))
    queue.cancel(1)
    await until('started', 2)
    expect(worker(0).isKilled).toBe(true)
    expect(workers).toHaveLength(2)
    expect(order()).toEqual(['started 1', 'cancelled 1', 'started 2'])
  })

  test('a result that comes first stands', () => {
    const { queue, worker, order } = makeFakeQueue(1)
    queue.add(job(1))
    queue.cancel(1)
    worker(0).say(doneMessage(1))
    expect(order()).toEqual(['started 1', 'done 1'])
  })

  test('a job that is not here is not cancelled', () => {
    const { queue } = makeFakeQueue(1)
    expect(queue.cancel(5)).toBe(false)
  })
})

describe('a crash', () => {
  test.each([
    [{ signal: 'SIGKILL' }, 'the worker process was killed by SIGKILL before it had a result'],
    [
      {
        code: 1,
        detail: 'worker.ts:3\n  throw x\n\nTypeError: x is bad\n    at run\n\nNode.js v24',
      },
      'the worker process ended with exit code 1 before it had a result: TypeError: x is bad',
    ],
    [
      {
        signal: 'SIGABRT',
        detail: '<--- Last few GCs --->\nFATAL ERROR: heap out of memory\n 1: 0xb',
      },
      'the worker process was killed by SIGABRT before it had a result: FATAL ERROR: heap out of memory',
    ],
    [{ code: 3 }, 'the worker process ended with exit code 3 before it had a result'],
    [
      { code: 1, detail: 'at line 1\nError: out of cheese\n' },
      'the worker process ended with exit code 1 before it had a result: Error: out of cheese',
    ],
    [
      { detail: 'spawn ENOENT' },
      'the worker process could not be started before it had a result: spawn ENOENT',
    ],
  ])('%j is told', (exit, message) => {
    const { queue, worker, events } = makeFakeQueue(1)
    queue.add(job(1))
    worker(0).exit(exit)
    expect(events.at(-1)).toEqual({ kind: 'crashed', runId: 1, message })
  })

  test('lets the next job run in a new worker', () => {
    const { queue, worker, workers, order } = makeFakeQueue(1)
    queue.add(job(1))
    queue.add(job(2))
    worker(0).exit({ code: 1 })
    expect(workers).toHaveLength(2)
    expect(order()).toEqual(['started 1', 'crashed 1', 'started 2'])
  })

  test('of an idle worker concerns nobody', () => {
    const { queue, worker, order } = makeFakeQueue(1)
    queue.add(job(1))
    worker(0).say(doneMessage(1))
    worker(0).exit({ code: 1 })
    queue.add(job(2))
    worker(1).say(doneMessage(2))
    expect(order()).toEqual(['started 1', 'done 1', 'started 2', 'done 2'])
  })

  test('is what a message out of contract leads to', async () => {
    const { queue, worker, until } = makeFakeQueue(1)
    queue.add(job(1))
    worker(0).say({ kind: 'done', runId: 1, document: null })
    await until('crashed', 1)
    expect(worker(0).isKilled).toBe(true)
  })

  test('is what a worker that cannot be launched leads to', () => {
    const { queue, events } = makeQueue({
      maxWorkers: 1,
      launchWorker: () => {
        throw new Error('EAGAIN')
      },
    })
    queue.add(job(1))
    queue.add(job(2))
    expect(events).toEqual(
      [1, 2].map(runId => ({
        kind: 'crashed',
        runId,
        message: 'no worker process could be started: EAGAIN',
      })),
    )
  })
})

describe('close', () => {
  test('cancels what waits and what runs, and ends every worker', async () => {
    const { queue, worker, order, events } = makeFakeQueue(2)
    for (const runId of [1, 2, 3]) queue.add(job(runId))
    worker(1).say(doneMessage(2))
    await queue.close()
    expect(order()).toEqual([
      'started 1',
      'started 2',
      'done 2',
      'started 3',
      'cancelled 1',
      'cancelled 3',
    ])
    expect(events.at(-1)).toMatchObject({ message: 'Tessera was closed' })
    expect([worker(0).isKilled, worker(1).isKilled]).toEqual([true, true])
  })

  test('takes no more jobs', async () => {
    const { queue } = makeFakeQueue(1)
    await queue.close()
    await queue.close()
    expect(() => {
      queue.add(job(8))
    }).toThrow('the job queue is closed: run 8 cannot start')
  })
})
