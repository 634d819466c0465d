import { onTestFinished } from 'vitest'
import type { WorkerEndpoint, WorkerExit } from '#main/jobs/endpoint.ts'
import {
  createJobQueue,
  type JobQueue,
  type JobQueueOptions,
  type QueueEvent,
} from '#main/jobs/job-queue.ts'

export interface TestQueue {
  readonly queue: JobQueue
  readonly events: QueueEvent[]
  /** Resolves with the first event of this kind, past or to come. */
  readonly until: (kind: QueueEvent['kind'], runId: number) => Promise<QueueEvent>
  /** 'started 1', 'done 1', …; progress is left out. */
  readonly order: () => string[]
}

export function makeQueue(options: Omit<JobQueueOptions, 'onEvent'>): TestQueue {
  const events: QueueEvent[] = []
  const waiters = new Set<() => void>()
  const queue = createJobQueue({
    ...options,
    onEvent: event => {
      events.push(event)
      for (const look of waiters) look()
    },
  })
  onTestFinished(() => queue.close())
  return {
    queue,
    events,
    until: (kind, runId) =>
      new Promise(resolve => {
        const look = () => {
          const found = events.find(event => event.kind === kind && event.runId === runId)
          if (found === undefined) return
          waiters.delete(look)
          resolve(found)
        }
        waiters.add(look)
        look()
      }),
    order: () =>
      events
        .filter(({ kind }) => kind !== 'progress')
        .map(({ kind, runId }) => `${kind} ${String(runId)}`),
  }
}

/** A worker without a process: the test plays its part. */
export interface FakeWorker extends WorkerEndpoint {
  readonly sent: unknown[]
  readonly say: (message: unknown) => void
  readonly exit: (exit?: Partial<WorkerExit>) => void
  isKilled: boolean
}

export function makeFakeWorker(): FakeWorker {
  const messageListeners: ((message: unknown) => void)[] = []
  const exitListeners: ((exit: WorkerExit) => void)[] = []
  const worker: FakeWorker = {
    sent: [],
    isKilled: false,
    send(message) {
      worker.sent.push(message)
    },
    onMessage(listener) {
      messageListeners.push(listener)
    },
    onExit(listener) {
      exitListeners.push(listener)
    },
    kill() {
      worker.isKilled = true
      queueMicrotask(() => {
        worker.exit({ signal: 'SIGKILL' })
      })
    },
    say: message => {
      for (const listener of messageListeners) listener(message)
    },
    exit: exit => {
      for (const listener of exitListeners.splice(0)) {
        listener({ code: null, signal: null, detail: '', ...exit })
      }
    },
  }
  return worker
}
