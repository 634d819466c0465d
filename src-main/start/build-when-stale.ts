import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectDirectory } from '#main/start/project-directory.ts'

const sources = [
  'electron.vite.config.ts',
  'package.json',
  'resources',
  ...[
    'app',
    'core',
    'export',
    'ipc',
    'jobs',
    'page',
    'platform',
    'preload',
    'report',
    'storage',
  ].map(folder => `src-main/${folder}`),
  'src-renderer',
  'src-shared',
]
const outputs = [
  'out/main/index.js',
  'out/main/worker.js',
  'out/preload/index.cjs',
  'out/renderer/index.html',
]

/** Whether some source is newer than some output, or an output is missing. */
export function isBuildStale(root: string): boolean {
  const oldestOutputMs = Math.min(...outputs.map(path => modifiedMs(join(root, path))))
  return sources.some(path => newestMs(join(root, path)) > oldestOutputMs)
}

/**
 * Builds the desktop host and the page if they are stale; waits if another process is building.
 *
 * @param say told before a build starts
 * @throws Error with the end of the build's output
 */
export async function buildWhenStale(
  say: (line: string) => void,
  root = projectDirectory,
): Promise<void> {
  if (!isBuildStale(root)) return
  const release = await acquireLock(join(root, 'out', 'build.lock'))
  try {
    if (!isBuildStale(root)) return
    say('building the app …')
    await build(root)
  } finally {
    release()
  }
}

function build(root: string): Promise<void> {
  const script = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js')
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, 'build', '--logLevel', 'warn'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-8000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', reject)
    child.on('close', status => {
      if (status === 0) resolve()
      else reject(new Error(`the build failed with status ${String(status)}:\n${output}`))
    })
  })
}

/** The file holds the id of the process that builds; that of a dead process does not count. */
async function acquireLock(path: string): Promise<() => void> {
  mkdirSync(join(path, '..'), { recursive: true })
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' })
      return () => {
        rmSync(path, { force: true })
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    if (!isHolderAlive(path)) rmSync(path, { force: true })
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

function isHolderAlive(path: string): boolean {
  try {
    const holder = Number(readFileSync(path, 'utf8'))
    if (holder === 0) return true // just made, not yet written
    process.kill(holder, 0)
    return true
  } catch {
    return false
  }
}

/** Zero for a file that does not exist. */
const modifiedMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Of a file, or of everything in a folder and the folder itself: a deletion counts as well. */
function newestMs(path: string): number {
  const status = statSync(path, { throwIfNoEntry: false })
  if (status === undefined) return 0
  if (!status.isDirectory()) return status.mtimeMs
  return Math.max(status.mtimeMs, ...readdirSync(path).map(name => newestMs(join(path, name))))
}
