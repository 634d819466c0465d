import { fileURLToPath } from 'node:url'
import { createCore, type Core } from '#main/core/create-core.ts'
import { dataDirectory } from '#main/core/data-directory.ts'
import { launchNodeWorker } from '#main/jobs/node-endpoint.ts'
import { localChromium } from '#main/report/ensure-chromium.ts'
import { NoChromiumError } from '#main/report/find-chromium.ts'
import { printReport } from '#main/report/print-report.ts'
import { reportFileName } from '#main/report/report-layout.ts'
import { startBrowserHost } from '#main/server/browser-host.ts'
import { createDownloads } from '#main/server/downloads.ts'
import { ApiError } from '#shared/ipc/api-error.ts'

const workerFile = fileURLToPath(new URL('../jobs/worker.ts', import.meta.url))

export interface HostOptions {
  readonly kind: 'browser' | 'cli'
  readonly appVersion: string
  /** Where the page was built to. */
  readonly pageDirectory: string
  /** 0 for any free one. */
  readonly port: number
  readonly log: (line: string) => void
}

/** A core with a page in front of it. */
export interface OpenHost {
  readonly core: Core
  /** The page, with the token that opens it. */
  readonly url: string
  /** A URL that leads to the page once. */
  urlForOpening(): string
  /** The report of some experiments as a PDF. @throws ApiError */
  printPdf(experimentIds: readonly number[]): Promise<Buffer<ArrayBuffer>>
  close(): Promise<void>
}

/**
 * Opens the history and serves the page on loopback.
 *
 * @throws PortInUseError
 */
export async function openHost(options: HostOptions): Promise<OpenHost> {
  const downloads = createDownloads()
  const core = createCore({
    host: options.kind,
    dataDirectory: dataDirectory(),
    appVersion: options.appVersion,
    launchWorker: () => launchNodeWorker(workerFile),
    printReport: async experimentIds => {
      const body = await printPdf(experimentIds)
      const fileName = reportFileName(experimentIds)
      const path = downloads.offer({ fileName, contentType: 'application/pdf', body })
      return { kind: 'download', path, fileName }
    },
    log: options.log,
  })
  const server = await startBrowserHost({
    port: options.port,
    pageDirectory: options.pageDirectory,
    service: core,
    downloads,
  }).catch(async (error: unknown) => {
    await core.close()
    throw error
  })

  async function printPdf(experimentIds: readonly number[]): Promise<Buffer<ArrayBuffer>> {
    try {
      return await printReport({ chromium: localChromium(), pageUrl: server.url, experimentIds })
    } catch (error) {
      if (error instanceof NoChromiumError) throw new ApiError('no-chromium', error.message)
      throw error
    }
  }

  return {
    core,
    url: server.url,
    urlForOpening: () => server.urlForOpening(),
    printPdf,
    async close() {
      await server.close()
      await core.close()
    },
  }
}
