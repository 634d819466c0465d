import { fork } from 'node:child_process'
import { join } from 'node:path'
import type * as StandIn from '#test/support/electron-stand-in.ts'
import { projectRoot } from '#test/support/source-files.ts'

/** A built file of the desktop host, running with the stand-in for Electron. */
export interface StandInProcess {
  /**
   * Calls a function over there; it crosses as text, so it sees its arguments and nothing else.
   */
  play<Result, Argument>(
    scene: (electron: typeof StandIn, argument: Argument) => Result,
    argument?: Argument,
  ): Promise<Awaited<Result>>
  /** Resolves with the exit status once the process has ended. */
  readonly ended: Promise<number | null>
  readonly errors: () => string
  kill(): void
}

const hostFile = join(import.meta.dirname, 'electron-stand-in-host.ts')

/**
 * Loads a built file, such as out/main/index.js.
 *
 * @param dataDirectory where the desktop host keeps its history
 */
export async function startStandIn(
  builtFile: string,
  dataDirectory: string,
  settings: Partial<StandIn.StandInSettings> = {},
): Promise<StandInProcess> {
  const standIn: StandIn.StandInSettings = {
    appPath: projectRoot,
    hasLock: true,
    screens: [{ x: 0, y: 0, width: 1920, height: 1080 }],
    reportState: { ready: 'true', message: null },
    ...settings,
  }
  const child = fork(hostFile, [join(projectRoot, builtFile)], {
    env: { ...process.env, TESSERA_DATA_DIR: dataDirectory, STAND_IN: JSON.stringify(standIn) },
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: Error) => void }
  >()
  const ended = new Promise<number | null>(resolve => {
    child.once('exit', status => {
      for (const { reject } of waiting.values()) reject(new Error(`the process ended: ${errors}`))
      resolve(status)
    })
  })
  child.on('message', ({ id, value, error }: { id: number; value: unknown; error?: string }) => {
    const request = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) request?.resolve(value)
    else request?.reject(new Error(error))
  })
  const answered = (id: number) =>
    new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }))
  let lastId = 0
  const loaded = answered(0)
  if (standIn.hasLock) await loaded
  else loaded.catch(() => undefined) // it may end before it says so
  return {
    play: (scene, argument) => {
      const id = ++lastId
      child.send({ id, play: scene.toString(), argument })
      return answered(id) as Promise<never>
    },
    ended,
    errors: () => errors,
    kill: () => child.kill('SIGKILL'),
  }
}
