import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The Electron executable that has been fetched for this project; undefined if there is none. */
export function electronExecutable(electronDirectory: string): string | undefined {
  try {
    const name = readFileSync(join(electronDirectory, 'path.txt'), 'utf8')
    const executable = join(electronDirectory, 'dist', name)
    return existsSync(executable) ? executable : undefined
  } catch {
    return undefined
  }
}

export interface FetchOptions {
  /** Folder of the npm package `electron`. */
  readonly electronDirectory: string
  /** The fetch is given up when nothing has arrived for so long. */
  readonly patienceMs?: number
  readonly pollMs?: number
}

/**
 * Fetches the Electron binary with Electron's own installer, which knows its mirrors
 * (ELECTRON_MIRROR, electron_mirror of npm), its cache and its checksums.
 *
 * @throws Error with one sentence on why there is none now
 */
export async function fetchElectron(options: FetchOptions): Promise<string> {
  const { electronDirectory, patienceMs = 120_000, pollMs = 1000 } = options
  // A temporary folder of its own, so that the growth of the download can be watched.
  const temporary = mkdtempSync(join(tmpdir(), 'tessera-electron-'))
  try {
    const failure = await runInstaller(electronDirectory, temporary, patienceMs, pollMs)
    const executable = electronExecutable(electronDirectory)
    if (failure === undefined && executable !== undefined) return executable
    throw new Error(`the Electron binary could not be fetched (${failure ?? 'it is not there'})`)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** @returns why it failed */
function runInstaller(
  electronDirectory: string,
  temporary: string,
  patienceMs: number,
  pollMs: number,
): Promise<string | undefined> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [join(electronDirectory, 'install.js')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        TMPDIR: temporary,
        TEMP: temporary,
        TMP: temporary,
        NODE_USE_ENV_PROXY: '1',
      },
    })
    let complaint = ''
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-4000)
    })
    let lastBytes = 0
    let lastGrowthMs = performance.now()
    const watch = setInterval(() => {
      void Promise.all([sizeOf(temporary), sizeOf(join(electronDirectory, 'dist'))]).then(sizes => {
        const bytes = sizes[0] + sizes[1]
        if (bytes !== lastBytes) lastGrowthMs = performance.now()
        lastBytes = bytes
        if (performance.now() - lastGrowthMs > patienceMs) child.kill('SIGKILL')
      })
    }, pollMs)
    const finish = (failure: string | undefined) => {
      clearInterval(watch)
      resolve(failure)
    }
    child.on('error', error => {
      finish(error.message)
    })
    child.on('exit', (status, signal) => {
      if (status === 0) finish(undefined)
      else if (signal === null) finish(reasonIn(complaint) ?? `status ${String(status)}`)
      else finish(`no data for ${String(patienceMs / 1000)} s`)
    })
  })
}

/** The reason in one line: Electron's installer prints a stack, often without the cause in it. */
function reasonIn(complaint: string): string | undefined {
  const cause = /\b(?:getaddrinfo|connect) E[A-Z_]+[^\n]*/.exec(complaint)?.[0]
  if (cause !== undefined) return cause
  if (complaint.includes('fetch failed')) {
    return 'its server cannot be reached; ELECTRON_MIRROR may name another'
  }
  return complaint.split('\n').find(line => line.trim() !== '')
}

async function sizeOf(directory: string): Promise<number> {
  let total = 0
  for (const name of await readdir(directory, { recursive: true }).catch(() => [])) {
    total += await stat(join(directory, name)).then(
      status => status.size,
      () => 0, // gone between listing and looking
    )
  }
  return total
}
