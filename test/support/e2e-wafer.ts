import type { Page } from 'playwright-core'

/** Waits until both the deployment and the sweep on the Wafer page are those of the form. */
export async function waitForWafer(page: Page): Promise<void> {
  await waitForDeployment(page)
  await page.locator('[data-testid="wafer-sweep"][data-state="current"]').waitFor()
}

export async function waitForDeployment(page: Page): Promise<void> {
  await page.locator('[data-testid="wafer-estimate"][data-state="current"]').waitFor()
}
