import { ApiError } from '#shared/ipc/api-error.ts'
import { reportTimeoutMs, type ReportState } from '#main/report/report-layout.ts'

/**
 * Asks the report page how far it is until it is ready.
 *
 * @param failures errors that the page has thrown meanwhile, for the message
 * @throws ApiError that says why it will not be
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
    if (ready === 'failed')
      throw new ApiError('internal', message ?? 'the report could not be drawn')
    if (performance.now() > deadlineMs) {
      const reason = failures.length > 0 ? `: ${failures.join('; ')}` : ''
      throw new ApiError(
        'internal',
        `the report was not ready within ${String(timeoutMs / 1000)} s${reason}`,
      )
    }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
