import { createCore, type Core } from '#main/core/create-core.ts'
import { dataDirectory } from '#main/core/data-directory.ts'
import { appVersion } from '#main/start/app-version.ts'

/** A command has nobody to keep waiting: it rather waits for a busy history than does without. */
const busyTimeoutMs = 20_000

/** A core for one command: it has the history, but neither pages nor workers. */
export function openCommandCore(): Core {
  const nothing = (what: string) => () => {
    throw new Error(`a command does not ${what}`)
  }
  return createCore({
    host: 'cli',
    dataDirectory: dataDirectory(),
    appVersion,
    launchWorker: nothing('launch workers'),
    printReport: nothing('print from a page'),
    busyTimeoutMs,
    log: () => undefined, // each command says itself what it could not do
  })
}

/**
 * Lets a command use the history, then closes it.
 *
 * @throws StorageError where there is none
 */
export async function withHistory<Result>(
  work: (history: Core['history']) => Result | Promise<Result>,
): Promise<Result> {
  const core = openCommandCore()
  try {
    return await work(core.history)
  } finally {
    await core.close()
  }
}
