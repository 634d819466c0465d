import { ApiError } from '#shared/ipc/api-error.ts'
import type { JobEvent } from '#shared/ipc/job-event.ts'
import type { ExperimentSpec } from '#shared/schema/attention-input.ts'
import type { WorkerEndpoint } from '#main/jobs/endpoint.ts'
import { createJobQueue, type QueueEvent } from '#main/jobs/job-queue.ts'
import type { UnfinishedRun } from '#main/storage/history.ts'
import type { RunOutcome } from '#main/storage/run-repository.ts'
import type { EventHub } from '#main/core/event-hub.ts'
import type { OpenHistory } from '#main/core/open-history.ts'

export interface RunScheduler {
  start(
    spec: ExperimentSpec,
    again: boolean,
  ): { readonly experimentId: number; readonly reused: boolean }
  /** @throws ApiError where there is no such run, or it belongs to another process */
  cancel(runId: number): void
  /** Stops a run that has been deleted. */
  drop(runId: number): void
  /** Tries again to store the results that could not be stored; to be called every few seconds. */
  retryStoring(): void
  /** The runs that are not over yet. */
  unfinished(): UnfinishedRun[]
  /** Stops everything; what was not over is kept as cancelled. */
  close(): Promise<void>
}

interface Options {
  readonly history: OpenHistory
  readonly events: EventHub
  readonly launchWorker: () => WorkerEndpoint
  readonly maxWorkers: number
  readonly log: (line: string) => void
}

type EndEvent = Exclude<QueueEvent, { kind: 'progress' } | { kind: 'started' }>

/** Ties the job queue to the history: what happens to a job is stored first, and told then. */
export function createRunScheduler(options: Options): RunScheduler {
  const { history, events, launchWorker, maxWorkers, log } = options
  const queue = createJobQueue({ launchWorker, maxWorkers, onEvent: follow })

  const unstored: EndEvent[] = []

  const tell = (event: JobEvent): void => {
    events.emit({ type: 'job:event', payload: event })
  }

  function follow(event: QueueEvent): void {
    if (event.kind === 'progress') {
      tell(event)
      return
    }
    try {
      store(event)
      tell(toJobEvent(event))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      log(`run ${String(event.runId)} (${event.kind}) could not be stored: ${reason}`)
      if (event.kind === 'started') {
        tell(event)
        return
      }
      unstored.push(event)
      const message = `the end of the run could not be stored yet, Tessera will try again: ${reason}`
      tell({ kind: 'failed', runId: event.runId, message })
    }
  }

  function store(event: Exclude<QueueEvent, { kind: 'progress' }>): void {
    history.use(kept => {
      if (event.kind === 'started') kept.runStarted(event.runId)
      else kept.runEnded(event.runId, toOutcome(event))
    })
    events.historyChanged()
  }

  function retryStoring(): void {
    for (const event of unstored.splice(0)) follow(event)
  }

  return {
    start(spec, again) {
      const { queued, ...answer } = history.use(kept => kept.start(spec, again))
      for (const { runId } of queued) tell({ kind: 'queued', runId })
      if (!answer.reused) events.historyChanged()
      for (const run of queued) queue.add(run)
      return answer
    },
    cancel(runId) {
      if (queue.cancel(runId)) return
      const state = history.use(kept => kept.runState(runId))
      if (state === undefined) throw new ApiError('not-found', `there is no run ${String(runId)}`)
      if (state.status !== 'queued' && state.status !== 'running') return
      const pid = state.hostId === null ? undefined : history.pidOf(state.hostId)
      const owner = pid === undefined ? '' : ` (process ${String(pid)})`
      throw new ApiError(
        'not-found',
        `run ${String(runId)} belongs to another Tessera${owner}: cancel it there`,
      )
    },
    drop(runId) {
      queue.cancel(runId)
    },
    retryStoring,
    unfinished: () => queue.unfinished(),
    async close() {
      await queue.close()
      retryStoring()
    },
  }
}

function toOutcome(event: EndEvent): RunOutcome {
  return event.kind === 'done'
    ? {
        status: 'done',
        document: event.document,
        elapsedMs: event.elapsedMs,
        activity: event.activity,
      }
    : { status: event.kind, message: event.message }
}

function toJobEvent(event: QueueEvent): JobEvent {
  const { runId } = event
  if (event.kind === 'done' || event.kind === 'cancelled') return { kind: event.kind, runId }
  return event
}
