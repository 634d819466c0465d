/** Makes sure of what the tests need besides npm packages: a Chromium, poppler, and a build. */
import { spawnSync } from 'node:child_process'
import { ensureChromium } from '#main/report/ensure-chromium.ts'
import { buildWhenStale } from '#main/start/build-when-stale.ts'

const hasPoppler = (): boolean => spawnSync('pdftotext', ['-v']).error === undefined

function ensurePoppler(): void {
  if (!hasPoppler() && process.getuid?.() === 0) {
    spawnSync('apt-get', ['-qq', 'update'], { stdio: ['ignore', 2, 2] })
    spawnSync('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', 'poppler-utils'], {
      stdio: ['ignore', 2, 2],
    })
  }
  if (!hasPoppler()) {
    throw new Error('the tests read PDFs with pdftotext: install poppler (poppler-utils on Debian)')
  }
}

try {
  ensureChromium()
  ensurePoppler()
  await buildWhenStale(line => process.stderr.write(`${line}\n`))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
