import type { Locator, Page } from 'playwright-core'

export const historyRow = (page: Page, experimentId: number): Locator =>
  page.locator(`[data-testid="history-row"][data-experiment="${String(experimentId)}"]`)

/** The names in the table, as it is sorted and filtered. */
export const shownNames = (page: Page): Promise<string[]> =>
  page.getByTestId('history-row').getByTestId('open-experiment').allInnerTexts()

/** Ticks the boxes of these experiments. */
export async function selectExperiments(page: Page, ids: readonly number[]): Promise<void> {
  for (const id of ids) await historyRow(page, id).getByTestId('select-row').check()
}
