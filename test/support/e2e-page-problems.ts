import type { Page } from 'playwright-core'

/**
 * Everything that goes wrong in a page without a test asking for it: errors on the console, also
 * those of the content security policy, exceptions, requests that fail or are refused.
 *
 * @returns a list that grows
 */
export function collectProblems(page: Page): string[] {
  const problems: string[] = []
  page.on('console', message => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const { url, lineNumber } = message.location()
    problems.push(`console ${message.type()}: ${message.text()} (${url}:${String(lineNumber)})`)
  })
  page.on('pageerror', error => {
    problems.push(`exception: ${error.message}`)
  })
  page.on('requestfailed', request => {
    problems.push(`request failed: ${request.url()}: ${request.failure()?.errorText ?? ''}`)
  })
  page.on('response', response => {
    if (response.status() >= 400) {
      problems.push(`status ${String(response.status())}: ${response.url()}`)
    }
  })
  return problems
}
