import type { Locator, Page } from 'playwright-core'

/** Waits until both the deployment and the sweep on the Wafer page are those of the form. */
export async function waitForWafer(page: Page): Promise<void> {
  await waitForDeployment(page)
  await page.locator('[data-testid="wafer-sweep"][data-state="current"]').waitFor()
}

export async function waitForDeployment(page: Page): Promise<void> {
  await page.locator('[data-testid="wafer-estimate"][data-state="current"]').waitFor()
}

/** The control of a field; `path` as in 'batchPerChip'. */
export const waferInput = (
  page: Page,
  part: 'system' | 'deployment' | 'limit',
  path: string,
): Locator =>
  page
    .getByTestId(`wafer-panel-${part}`)
    .getByTestId(`field-${path}`)
    .locator('input, select')
    .first()
