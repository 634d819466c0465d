/**
 * Takes the screenshot that the README shows, of the app as it is now:
 *
 *   node test/e2e/take-screenshots.ts
 *
 * writes resources/docs/images/lab.png: the Lab at 1440 × 900 in the light theme, with the
 * estimates of what it shows first. To be run again, and looked at, when the Lab has changed.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from '#main/report/ensure-chromium.ts'
import { launchChromium } from '#main/report/launch-chromium.ts'
import { startHost } from '#test/support/e2e-host.ts'
import { projectFile } from '#test/support/e2e-project.ts'

const largestBytes = 300 * 1000

async function takeLab(file: string): Promise<void> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tessera-screenshots-'))
  const host = await startHost({ dataDirectory })
  const browser = await launchChromium(ensureChromium())
  try {
    const page = await browser.newPage({
      viewport: { width: 1440, height: 900 },
      colorScheme: 'light',
      reducedMotion: 'reduce',
    })
    await page.goto(`${host.url}#/lab`)
    await page.locator('[data-testid="estimate-panel"][data-state="current"]').waitFor()
    await page.screenshot({ path: file })
  } finally {
    await browser.close()
    await host.stop()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

const file = projectFile('resources/docs/images/lab.png')
mkdirSync(projectFile('resources/docs/images'), { recursive: true })
await takeLab(file)
const { size } = statSync(file)
if (size > largestBytes) {
  throw new Error(`${file} has ${String(size)} bytes; at most ${String(largestBytes)} are allowed`)
}
console.log(`${file}: ${String(size)} bytes`)
