import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { ensureChromium } from '#main/report/ensure-chromium.ts'
import { launchChromium } from '#main/report/launch-chromium.ts'
import { forgetDrafts } from '#test/support/e2e-drafts.ts'
import { startHost, type HostOptions, type RunningHost } from '#test/support/e2e-host.ts'
import { collectProblems } from '#test/support/e2e-page-problems.ts'

interface PageOptions extends BrowserContextOptions {
  /** Problems of the page that the test brings about itself. */
  readonly expectedProblems?: RegExp
  /** Whether what another window was editing is there; else the forms are as on the first day. */
  readonly keepsDrafts?: boolean
}

/** The app as a person has it: a host, its history and a browser. */
export interface Application {
  readonly dataDirectory: string
  readonly host: RunningHost
  /** Starts a host anew on the same history, after the one before was ended by the test. */
  restart(options?: Omit<HostOptions, 'dataDirectory'>): Promise<RunningHost>
  /**
   * Opens a page of the app in a browser profile of its own. When the test is over the page is
   * closed, and the test fails if anything went wrong in it.
   *
   * @param route such as '/history'
   */
  open(route?: string, options?: PageOptions): Promise<Page>
}

/** Starts host and browser before the tests of a file, and ends both after them. */
export function useApplication(options: Omit<HostOptions, 'dataDirectory'> = {}): Application {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tessera-e2e-'))
  let host: RunningHost | undefined
  let browser: Browser | undefined

  beforeAll(async () => {
    const executable = ensureChromium()
    ;[host, browser] = await Promise.all([
      startHost({ ...options, dataDirectory }),
      launchChromium(executable),
    ])
  })
  afterAll(async () => {
    await browser?.close()
    await host?.stop()
    rmSync(dataDirectory, { recursive: true, force: true })
  })

  return {
    dataDirectory,
    get host() {
      return started(host)
    },
    async restart(changes = options) {
      host = await startHost({ ...changes, dataDirectory })
      return host
    },
    async open(route = '/', { expectedProblems, keepsDrafts = false, ...contextOptions } = {}) {
      if (!keepsDrafts) forgetDrafts(dataDirectory)
      const context = await started(browser).newContext({
        viewport: { width: 1440, height: 900 },
        colorScheme: 'light',
        locale: 'en-GB',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
        ...contextOptions,
      })
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      const problems = collectProblems(page)
      onTestFinished(async () => {
        await context.close()
        expect(problems.filter(problem => expectedProblems?.test(problem) !== true)).toEqual([])
      })
      await page.goto(`${started(host).url}#${route}`)
      await page.getByTestId('versions').waitFor({ state: 'attached' })
      return page
    },
  }
}

function started<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('host and browser start before the first test only')
  return value
}
