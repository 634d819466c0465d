import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { projectFile } from '#test/support/e2e-project.ts'

/** Run in the page as it is: nothing is added to its content security policy. */
const axe = readFileSync(projectFile('node_modules/axe-core/axe.min.js'), 'utf8')

/** What axe finds serious or critical on a page: the rule and where. */
export async function seriousViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations, passes } = await page.evaluate(
    () =>
      (window as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run() as Promise<
        Pick<AxeResults, 'violations' | 'passes'>
      >,
  )
  if (passes.length === 0) throw new Error('axe has looked at nothing')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}
