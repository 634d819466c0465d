import { spawn } from 'node:child_process'

/** How the desktop app ended. */
export type DesktopEnd =
  | { readonly kind: 'ended'; readonly status: number }
  | { readonly kind: 'unable'; readonly reason: string }

/** Why no window can appear on this machine; undefined if nothing speaks against it. */
export function displayProblem(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  if (platform !== 'linux') return undefined
  const hasDisplay = [environment.DISPLAY, environment.WAYLAND_DISPLAY].some(
    name => name !== undefined && name !== '',
  )
  return hasDisplay ? undefined : 'there is no display'
}

/**
 * Runs Electron on the project until its window is closed.
 *
 * @param earlyMs a failure within this time counts as not having started
 */
export function launchDesktop(
  executable: string,
  root: string,
  earlyMs = 10_000,
): Promise<DesktopEnd> {
  return new Promise(resolve => {
    const startMs = performance.now()
    const child = spawn(executable, [root], { stdio: 'inherit' })
    const forward = (signal: NodeJS.Signals) => {
      child.kill(signal)
    }
    let isStopping = false
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        isStopping = true
        forward(signal)
      })
    }
    child.on('error', error => {
      resolve({ kind: 'unable', reason: `Electron cannot be run: ${error.message}` })
    })
    child.on('exit', (status, signal) => {
      const isEarly = performance.now() - startMs < earlyMs
      if (status !== 0 && isEarly && !isStopping) {
        const how = signal === null ? `status ${String(status)}` : `signal ${signal}`
        resolve({ kind: 'unable', reason: `Electron ended at once with ${how}` })
        return
      }
      resolve({ kind: 'ended', status: isStopping ? 0 : (status ?? 1) })
    })
  })
}
