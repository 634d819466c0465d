import type { WorkerMessage, WorkerRequest } from '#shared/ipc/worker-message.ts'
import { workerMessageSchema } from '#shared/ipc/worker-message.ts'
import type { EventActivity } from '#shared/results/event-activity.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import type { Progress } from '#shared/simulate/simulation.ts'
import type { WorkerEndpoint, WorkerExit } from '#main/jobs/endpoint.ts'

/** One simulation to be run in a worker. */
interface Job {
  readonly runId: number
  readonly input: AttentionInput
}

/** What happens to a job; every job ends with exactly one of the last four. */
export type QueueEvent =
  | { readonly kind: 'started'; readonly runId: number }
  | { readonly kind: 'progress'; readonly runId: number; readonly progress: Progress }
  | {
      readonly kind: 'done'
      readonly runId: number
      readonly document: AttentionDocument
      readonly elapsedMs: number
      readonly activity?: EventActivity | undefined
    }
  | { readonly kind: 'failed'; readonly runId: number; readonly message: string }
  | { readonly kind: 'cancelled'; readonly runId: number; readonly message: string | null }
  | { readonly kind: 'crashed'; readonly runId: number; readonly message: string }

export interface JobQueueOptions {
  readonly launchWorker: () => WorkerEndpoint
  /** Workers at once, at least 1. */
  readonly maxWorkers: number
  readonly onEvent: (event: QueueEvent) => void
  /** How long a job has to stop by itself when it is cancelled, in ms. */
  readonly cancelGraceMs?: number
  /** How long a worker without a job is kept, in ms. */
  readonly idleMs?: number
}

export interface JobQueue {
  /** Runs the job when its turn comes: first in, first out. */
  add(job: Job): void
  /** @returns whether there was such a job; that it has stopped is told by its event */
  cancel(runId: number): boolean
  /** The jobs that have not ended: those in a worker, then those that wait. */
  unfinished(): { readonly runId: number; readonly isRunning: boolean }[]
  /** Stops every job and worker; resolves when all the processes have gone. */
  close(): Promise<void>
}

/** A worker process, and what it is at. */
interface Slot {
  readonly endpoint: WorkerEndpoint
  runId: number | undefined
  isCancelling: boolean
  /** Has been told to go: takes no more jobs. */
  isEnding: boolean
  timer: NodeJS.Timeout | undefined
}

export function createJobQueue(options: JobQueueOptions): JobQueue {
  const { launchWorker, maxWorkers, onEvent, cancelGraceMs = 2000, idleMs = 30_000 } = options
  const waiting: Job[] = []
  const slots = new Set<Slot>()
  let isClosed = false
  const onAllGone: (() => void)[] = []

  function openSlot(): Slot {
    const endpoint = launchWorker()
    const slot: Slot = {
      endpoint,
      runId: undefined,
      isCancelling: false,
      isEnding: false,
      timer: undefined,
    }
    slots.add(slot)
    endpoint.onMessage(raw => {
      hear(slot, raw)
    })
    endpoint.onExit(exit => {
      slots.delete(slot)
      const { runId, isCancelling } = slot
      release(slot)
      if (runId !== undefined) {
        if (isCancelling) onEvent({ kind: 'cancelled', runId, message: null })
        else onEvent({ kind: 'crashed', runId, message: exitText(exit) })
      }
      if (slots.size === 0) for (const resolve of onAllGone.splice(0)) resolve()
      startWaiting()
    })
    return slot
  }

  /** The slot has no job any more. */
  function release(slot: Slot): void {
    clearTimeout(slot.timer)
    slot.timer = undefined
    slot.runId = undefined
    slot.isCancelling = false
  }

  function keepIdle(slot: Slot): void {
    release(slot)
    slot.timer = setTimeout(() => {
      end(slot)
    }, idleMs)
    slot.timer.unref()
  }

  /** No job may start in the slot from here on; it goes when the process has gone. */
  function end(slot: Slot): void {
    slot.isEnding = true
    slot.endpoint.kill()
  }

  function hear(slot: Slot, raw: unknown): void {
    const parsed = workerMessageSchema.safeParse(raw)
    if (!parsed.success) {
      end(slot) // not to be trusted any more: its exit makes the job crash
      return
    }
    const message = parsed.data
    if (message.runId !== slot.runId || isClosed) return
    if (message.kind !== 'progress') keepIdle(slot)
    onEvent(toQueueEvent(message))
    startWaiting()
  }

  function startWaiting(): void {
    while (!isClosed) {
      const free = [...slots].find(slot => slot.runId === undefined && !slot.isEnding)
      if (free === undefined && slots.size >= maxWorkers) return
      const job = waiting.shift()
      if (job === undefined) return
      start(job, free)
    }
  }

  function start({ runId, input }: Job, free: Slot | undefined): void {
    let slot: Slot
    try {
      slot = free ?? openSlot()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      onEvent({ kind: 'crashed', runId, message: `no worker process could be started: ${reason}` })
      return
    }
    release(slot)
    slot.runId = runId
    slot.endpoint.send({ kind: 'run', runId, input } satisfies WorkerRequest)
    onEvent({ kind: 'started', runId })
  }

  function cancelWaiting(runId: number, message: string | null): boolean {
    const index = waiting.findIndex(job => job.runId === runId)
    if (index < 0) return false
    waiting.splice(index, 1)
    onEvent({ kind: 'cancelled', runId, message })
    return true
  }

  const slotOf = (runId: number): Slot | undefined => [...slots].find(slot => slot.runId === runId)

  return {
    add(job) {
      if (isClosed)
        throw new Error(`the job queue is closed: run ${String(job.runId)} cannot start`)
      waiting.push(job)
      startWaiting()
    },
    cancel(runId) {
      if (cancelWaiting(runId, null)) return true
      const slot = slotOf(runId)
      if (slot === undefined) return false
      if (slot.isCancelling) return true
      slot.isCancelling = true
      slot.endpoint.send({ kind: 'cancel', runId } satisfies WorkerRequest)
      slot.timer = setTimeout(() => {
        end(slot)
      }, cancelGraceMs)
      return true
    },
    unfinished: () => [
      ...[...slots].flatMap(({ runId }) =>
        runId === undefined ? [] : [{ runId, isRunning: true }],
      ),
      ...waiting.map(({ runId }) => ({ runId, isRunning: false })),
    ],
    async close() {
      isClosed = true
      const message = 'Tessera was closed'
      for (const { runId } of [...waiting]) cancelWaiting(runId, message)
      for (const slot of [...slots]) {
        const { runId } = slot
        release(slot)
        if (runId !== undefined) onEvent({ kind: 'cancelled', runId, message })
        end(slot)
      }
      if (slots.size > 0) {
        await new Promise<void>(resolve => {
          onAllGone.push(resolve)
        })
      }
    },
  }
}

function toQueueEvent(message: WorkerMessage): QueueEvent {
  return message.kind === 'cancelled' ? { ...message, message: null } : message
}

function exitText({ code, signal, detail }: WorkerExit): string {
  const how =
    signal !== null
      ? `was killed by ${signal}`
      : code !== null
        ? `ended with exit code ${String(code)}`
        : 'could not be started'
  const what = `the worker process ${how} before it had a result`
  const reason = reasonIn(detail)
  return reason === undefined ? what : `${what}: ${reason}`
}

/** The line of an error output that tells most: that of the error, else the last. */
function reasonIn(detail: string): string | undefined {
  const lines = detail.split('\n').map(line => line.trim())
  return (
    lines.find(line => /^(FATAL ERROR|\w*Error)\b/.test(line)) ??
    lines.findLast(line => line !== '')
  )
}
