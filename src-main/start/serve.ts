import { join } from 'node:path'
import { openHost, type OpenHost } from '#main/server/open-host.ts'
import { PortInUseError } from '#main/server/browser-host.ts'
import { appVersion } from '#main/start/app-version.ts'
import { buildWhenStale } from '#main/start/build-when-stale.ts'
import { openUrl } from '#main/start/open-url.ts'
import { projectDirectory } from '#main/start/project-directory.ts'

export const pageDirectory = join(projectDirectory, 'out', 'renderer')

/** Stays the same from start to start, so that the page finds the drafts that it kept. */
export const usualPort = 8731

export interface ServeOptions {
  /** undefined: the usual one, or any free one if that is in use. */
  readonly port: number | undefined
  /** Whether to open the page in the default browser. */
  readonly open: boolean
  /** Told the URL once it can be opened. */
  readonly onReady: (url: string) => void
  readonly note: (line: string) => void
}

/**
 * Serves the app to the browser until SIGINT, SIGTERM or SIGHUP.
 *
 * @throws PortInUseError for a port that was asked for
 */
export async function serve(options: ServeOptions): Promise<void> {
  await buildWhenStale(options.note)
  const host = await openOnPort(options)
  const stopped = stopSignal()
  options.onReady(host.url)
  if (options.open) openUrl(host.urlForOpening())
  await stopped
  await host.close()
}

async function openOnPort({ port, note }: ServeOptions): Promise<OpenHost> {
  const open = (number: number) =>
    openHost({ kind: 'browser', appVersion, pageDirectory, port: number, log: note })
  try {
    return await open(port ?? usualPort)
  } catch (error) {
    if (port !== undefined || !(error instanceof PortInUseError)) throw error
    note(`port ${String(usualPort)} is in use, so another one is taken`)
    return open(0)
  }
}

const stopSignal = (): Promise<void> =>
  new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        resolve()
      })
    }
  })
