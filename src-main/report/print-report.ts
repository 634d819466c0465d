import { launchChromium } from '#main/report/launch-chromium.ts'
import {
  reportFooter,
  reportHeader,
  reportMarginsMm,
  reportRoute,
  reportStateExpression,
  reportTimeoutMs,
  type ReportState,
} from '#main/report/report-layout.ts'
import { waitUntilReady } from '#main/report/wait-until-ready.ts'

export interface PrintOptions {
  /** Executable of a Chromium. */
  readonly chromium: string
  /** URL of the page of a browser host, with its token. */
  readonly pageUrl: string
  readonly experimentIds: readonly number[]
}

/**
 * Prints the report of some experiments: A4, light, numbered pages.
 *
 * @returns the PDF
 * @throws ApiError where the page says that it failed, or is not ready within a minute
 */
export async function printReport(options: PrintOptions): Promise<Buffer<ArrayBuffer>> {
  const browser = await launchChromium(options.chromium)
  try {
    const page = await browser.newPage({ colorScheme: 'light', reducedMotion: 'reduce' })
    page.setDefaultTimeout(reportTimeoutMs)
    const failures: string[] = []
    page.on('pageerror', error => failures.push(error.message))
    await page.goto(`${options.pageUrl}${reportRoute(options.experimentIds)}`)
    await waitUntilReady(() => page.evaluate<ReportState>(reportStateExpression), failures)
    const { top, right, bottom, left } = reportMarginsMm
    const mm = (value: number) => `${String(value)}mm`
    return Buffer.from(
      await page.pdf({
        format: 'A4',
        printBackground: true,
        displayHeaderFooter: true,
        headerTemplate: reportHeader,
        footerTemplate: reportFooter,
        margin: { top: mm(top), right: mm(right), bottom: mm(bottom), left: mm(left) },
        tagged: true,
        outline: true,
      }),
    )
  } finally {
    await browser.close()
  }
}
