import os from 'node:os'
import type { ReportExport } from '#shared/ipc/contract.ts'
import { MODEL_VERSION } from '#shared/model-version.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { createEventHub, type CoreEvent } from '#main/core/event-hub.ts'
import { openHistory, type StorageState } from '#main/core/open-history.ts'
import { createRunScheduler } from '#main/core/run-scheduler.ts'
import { createValidationService } from '#main/core/validation-service.ts'
import { createDispatch, type Dispatch } from '#main/ipc/dispatch.ts'
import { appHandlers } from '#main/ipc/handlers/app-handlers.ts'
import { attentionHandlers } from '#main/ipc/handlers/attention-handlers.ts'
import { decodeHandlers } from '#main/ipc/handlers/decode-handlers.ts'
import { draftHandlers } from '#main/ipc/handlers/draft-handlers.ts'
import { eventHandlers } from '#main/ipc/handlers/event-handlers.ts'
import { experimentHandlers } from '#main/ipc/handlers/experiment-handlers.ts'
import { jobHandlers } from '#main/ipc/handlers/job-handlers.ts'
import { reportHandlers } from '#main/ipc/handlers/report-handlers.ts'
import { studyHandlers } from '#main/ipc/handlers/study-handlers.ts'
import { validationHandlers } from '#main/ipc/handlers/validation-handlers.ts'
import type { Services } from '#main/ipc/services.ts'
import type { WorkerEndpoint } from '#main/jobs/endpoint.ts'
import type { History } from '#main/storage/history.ts'
import type { HistoryFile } from '#main/storage/history-file.ts'
import type { HostKind } from '#main/storage/host-repository.ts'

export interface CoreOptions {
  readonly host: HostKind
  /** Where `tessera.db` lies; created if missing. */
  readonly dataDirectory: string
  readonly appVersion: string
  readonly launchWorker: () => WorkerEndpoint
  readonly printReport: (experimentIds: readonly number[]) => Promise<ReportExport>
  readonly log: (line: string) => void
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Workers at once; cores − 1, at least 1, unless given. */
  readonly maxWorkers?: number
  /** How long to wait for another process to release the database, in ms. */
  readonly busyTimeoutMs?: number
}

/**
 * The history as the command line uses it; where it cannot be opened, every method throws the
 * StorageError that says why. Ids are those of experiments.
 */
type CoreHistory = Pick<History, 'list' | 'get' | 'findRun' | 'recordRun' | 'trash' | 'restore'> & {
  exportRuns(ids: readonly number[] | 'all'): HistoryFile
  importRuns: History['importFile']
  /** Deletes for good, also what is not in the trash yet. */
  deleteRuns(ids: readonly number[]): void
}

/** Tessera without a window: the same for the desktop, the browser and the command line. */
export interface Core {
  /** Answers one request of a page; never rejects. */
  readonly dispatch: Dispatch
  /** @returns a function that stops listening */
  subscribe(listener: (event: CoreEvent) => void): () => void
  readonly storage: StorageState
  readonly history: CoreHistory
  /** Stops all runs and workers, then closes the database; may be called more than once. */
  close(): Promise<void>
}

const heartbeatMs = 5000

export function createCore(options: CoreOptions): Core {
  const { host, dataDirectory, appVersion, launchWorker, printReport, log } = options
  const { now = Date.now, maxWorkers = Math.max(1, os.availableParallelism() - 1) } = options
  const { busyTimeoutMs } = options
  const history = openHistory({
    dataDirectory,
    host,
    now,
    ...(busyTimeoutMs === undefined ? {} : { busyTimeoutMs }),
  })
  if (history.state.kind === 'unavailable') log(history.state.message)
  const events = createEventHub(log)
  const scheduler = createRunScheduler({ history, events, launchWorker, maxWorkers, log })

  const validation = createValidationService({ dataDirectory, launchWorker, events, now, log })

  const heartbeat = setInterval(() => {
    try {
      scheduler.retryStoring()
      const changed = history.beat(() => scheduler.unfinished())
      if (changed.length > 0) events.historyChanged()
    } catch (error) {
      log(`heartbeat: ${error instanceof Error ? error.message : String(error)}`)
    }
  }, heartbeatMs)
  heartbeat.unref()

  function changeHistory<Result>(work: (history: History) => Result): Result {
    const result = history.use(work)
    events.historyChanged()
    return result
  }

  function deleteExperiments(ids: readonly number[]): void {
    for (const runId of changeHistory(kept => kept.remove(ids))) scheduler.drop(runId)
  }

  const services: Services = {
    info: () => ({
      // The command line starts a core with pages only to print a report: a browser host.
      host: host === 'cli' ? 'browser' : host,
      appVersion,
      modelVersion: MODEL_VERSION,
      schemaVersion: SCHEMA_VERSION,
      dataDirectory,
      storage: history.state,
    }),
    withHistory: work => history.use(work),
    changeHistory,
    startExperiment: (spec, again) => scheduler.start(spec, again),
    deleteExperiments,
    cancelRun: runId => {
      scheduler.cancel(runId)
    },
    reportSweep: progress => {
      events.emit({ type: 'decode:progress', payload: progress })
    },
    printReport,
    validation,
  }

  const answer = createDispatch(
    {
      ...appHandlers(services),
      ...attentionHandlers(),
      ...decodeHandlers(services),
      ...experimentHandlers(services),
      ...draftHandlers(services),
      ...eventHandlers(services),
      ...jobHandlers(services),
      ...reportHandlers(services),
      ...studyHandlers(),
      ...validationHandlers(services),
    },
    log,
  )

  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    clearInterval(heartbeat)
    await Promise.all([scheduler.close(), validation.close()])
    events.close()
    history.close()
  }

  return {
    dispatch: (channel, raw) =>
      closing === undefined
        ? answer(channel, raw)
        : Promise.resolve({ ok: false, code: 'disconnected', message: 'Tessera is closing.' }),
    subscribe: listener => events.subscribe(listener),
    storage: history.state,
    history: {
      list: isTrashed => history.use(kept => kept.list(isTrashed)),
      get: id => history.use(kept => kept.get(id)),
      findRun: input => history.use(kept => kept.findRun(input)),
      recordRun: (...run) => changeHistory(kept => kept.recordRun(...run)),
      trash: ids => {
        changeHistory(kept => {
          kept.trash(ids)
        })
      },
      restore: ids => {
        changeHistory(kept => {
          kept.restore(ids)
        })
      },
      exportRuns: ids => history.use(kept => kept.exportFile(ids, appVersion)),
      importRuns: raw => changeHistory(kept => kept.importFile(raw)),
      deleteRuns: ids => {
        const runIds = changeHistory(kept => {
          kept.trash(ids)
          return kept.remove(ids)
        })
        for (const runId of runIds) scheduler.drop(runId)
      },
    },
    close: () => (closing ??= close()),
  }
}
