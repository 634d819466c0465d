import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { projectFile } from '#test/support/e2e-project.ts'

export interface HostOptions {
  readonly dataDirectory: string
  /** 0 for any free one. */
  readonly port?: number
  /** How long each step of a simulation lasts at least; the models are too quick to be watched. */
  readonly stepDelayMs?: number
}

/** A browser host in a process of its own. */
export interface RunningHost {
  /** With the token that opens the page. */
  readonly url: string
  /** Without token and path: http://127.0.0.1:8731 */
  readonly origin: string
  readonly port: number
  readonly token: string
  /** Ends it as Ctrl+C does. @returns its exit status */
  stop(): Promise<number | null>
  /** Ends it as a power failure would. */
  kill(): Promise<void>
}

/**
 * Starts `tessera serve --no-open`.
 *
 * @throws Error with what it wrote to standard error if it ends before it serves
 */
export async function startHost(options: HostOptions): Promise<RunningHost> {
  const { dataDirectory, port = 0, stepDelayMs = 0 } = options
  const child = spawn(
    process.execPath,
    [projectFile('src-main/cli/index.ts'), 'serve', '--no-open', '--port', String(port)],
    {
      env: {
        ...process.env,
        TESSERA_DATA_DIR: dataDirectory,
        TESSERA_WORKER_STEP_DELAY_MS: String(stepDelayMs),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const ended = once(child, 'close')
  const url = new URL(await firstLine(child))
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    const [status] = (await ended) as [number | null]
    return status
  }
  return {
    url: url.href,
    origin: url.origin,
    port: Number(url.port),
    token: url.searchParams.get('token') ?? '',
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL')
    },
  }
}

/** The line that a host prints once it serves. */
function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    let complaint = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const end = output.indexOf('\n')
      if (end >= 0) resolve(output.slice(0, end))
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    child.on('error', reject)
    child.on('close', status => {
      reject(new Error(`the host ended with status ${String(status)}: ${complaint}`))
    })
  })
}
