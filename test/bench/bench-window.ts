import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser } from 'playwright-core'
import { localChromium } from '#main/report/ensure-chromium.ts'
import { NoChromiumError } from '#main/report/find-chromium.ts'
import { launchChromium } from '#main/report/launch-chromium.ts'
import { buildWhenStale } from '#main/start/build-when-stale.ts'
import { projectDirectory } from '#main/start/project-directory.ts'
import type { Measurement } from '#test/bench/measurement.ts'

const TIMEOUT_MS = 60_000
const line = { id: 'first-content', title: 'first content of the Lab after `tessera serve` starts' }

/** From the start of the browser host to the form of the Lab, in a browser that runs already. */
export async function benchWindow(note: (text: string) => void): Promise<Measurement> {
  const executable = findBrowser()
  if (executable instanceof NoChromiumError) {
    return { kind: 'left-out', ...line, reason: executable.message }
  }
  await buildWhenStale(note)
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tessera-bench-'))
  const browser = await launchChromium(executable)
  try {
    return {
      kind: 'measured',
      ...line,
      value: await firstContentMs(browser, dataDirectory),
      unit: 'ms',
    }
  } finally {
    await browser.close()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

function findBrowser(): string | NoChromiumError {
  try {
    return localChromium()
  } catch (error) {
    if (error instanceof NoChromiumError) return error
    throw error
  }
}

async function firstContentMs(browser: Browser, dataDirectory: string): Promise<number> {
  const page = await browser.newPage()
  const start = performance.now()
  const host = spawn(
    process.execPath,
    [join(projectDirectory, 'src-main', 'cli', 'index.ts'), 'serve', '--no-open', '--port', '0'],
    {
      env: { ...process.env, TESSERA_DATA_DIR: dataDirectory },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  try {
    await page.goto(await addressOf(host), { timeout: TIMEOUT_MS })
    await page.getByTestId('preset-chip').waitFor({ timeout: TIMEOUT_MS })
    return performance.now() - start
  } finally {
    await stop(host)
  }
}

/** The first line that the host prints. @throws Error where it ends before */
async function addressOf(
  host: ChildProcess & { readonly stdout: NodeJS.ReadableStream },
): Promise<string> {
  for await (const text of createInterface({ input: host.stdout })) return text
  throw new Error('the browser host ended before it printed its address')
}

async function stop(host: ChildProcess): Promise<void> {
  if (host.exitCode !== null) return
  const exited = once(host, 'exit')
  host.kill('SIGTERM')
  await exited
}
