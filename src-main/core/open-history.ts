import { createHistory, type History, type UnfinishedRun } from '#main/storage/history.ts'
import {
  createHostRepository,
  type HostKind,
  type HostRepository,
} from '#main/storage/host-repository.ts'
import { databaseFile, openDatabase } from '#main/storage/open-database.ts'
import { StorageError, storageErrorFrom } from '#main/storage/storage-error.ts'

export type StorageState =
  | { readonly kind: 'ready' }
  /** Why the history cannot be used, fit to be shown. */
  | { readonly kind: 'unavailable'; readonly message: string }

export interface OpenHistory {
  readonly state: StorageState
  /**
   * Calls `work` with the history.
   *
   * @throws StorageError where there is none, or where SQLite reports an error
   */
  use<Result>(work: (history: History) => Result): Result
  /**
   * To be called every few seconds.
   *
   * @param unfinished the runs of this process, asked for where another has taken it for dead
   * @returns runs that were found to be crashed, or not to be
   */
  beat(unfinished: () => readonly UnfinishedRun[]): number[]
  pidOf(hostId: number): number | undefined
  close(): void
}

interface Options {
  readonly dataDirectory: string
  readonly host: HostKind
  readonly now: () => number
  readonly busyTimeoutMs?: number
}

/** Opens the history; where that cannot be done, says why and goes on without. */
export function openHistory(options: Options): OpenHistory {
  const { dataDirectory, host, now, busyTimeoutMs } = options
  try {
    const db = openDatabase(dataDirectory, {
      now,
      ...(busyTimeoutMs === undefined ? {} : { busyTimeoutMs }),
    })
    try {
      const hosts = createHostRepository(db, { kind: host, now })
      const history = createHistory(db, hosts, now)
      history.recoverCrashed()
      return ready(history, hosts, db, databaseFile(dataDirectory))
    } catch (error) {
      db.close()
      throw storageErrorFrom(error, databaseFile(dataDirectory)) ?? error
    }
  } catch (error) {
    if (error instanceof StorageError) return unavailable(error)
    throw error
  }
}

function ready(
  history: History,
  hosts: HostRepository,
  db: { close(): unknown },
  file: string,
): OpenHistory {
  const translated = <Result>(work: () => Result): Result => {
    try {
      return work()
    } catch (error) {
      throw storageErrorFrom(error, file) ?? error
    }
  }
  return {
    state: { kind: 'ready' },
    use: work => translated(() => work(history)),
    beat: unfinished =>
      translated(() => {
        const reclaimed = hosts.beat() ? history.reclaim(unfinished()) : []
        return [...reclaimed, ...history.recoverCrashed()]
      }),
    pidOf: hostId => hosts.pidOf(hostId),
    close() {
      const id = hosts.knownId()
      try {
        if (id !== null)
          translated(() => {
            hosts.remove([id])
          })
      } finally {
        db.close()
      }
    },
  }
}

function unavailable(error: StorageError): OpenHistory {
  const { problem, message } = error
  return {
    state: { kind: 'unavailable', message },
    use: () => {
      throw new StorageError(problem, message)
    },
    beat: () => [],
    pidOf: () => undefined,
    close: () => undefined,
  }
}
