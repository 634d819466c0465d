import { reportTimeoutMs, type ReportState } from '#main/report/report-layout.ts'

/** The report page could not be drawn; the message is for people. */
export class ReportError extends Error {
  override readonly name = 'ReportError'
}

/**
 * Asks the report page how far it is until it is ready.
 *
 * @param failures errors that the page has thrown meanwhile, for the message
 * @throws ReportError
 */
export async function waitUntilReady(
  readState: () => Promise<ReportState>,
  failures: readonly string[],
  timeoutMs = reportTimeoutMs,
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs
  for (;;) {
    const { ready, message } = await readState()
    if (ready === 'true') return
    if (ready === 'failed') throw new ReportError(message ?? 'the report could not be drawn')
    if (performance.now() > deadlineMs) {
      const reason = failures.length > 0 ? `: ${failures.join('; ')}` : ''
      throw new ReportError(
        `the report was not ready within ${String(timeoutMs / 1000)} s${reason}`,
      )
    }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
