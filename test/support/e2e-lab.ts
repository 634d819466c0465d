import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Dataflow } from '#shared/mapping/dataflow.ts'

type Part = 'chip' | 'workload' | 'mapping'

/** The block of a form's field: label, input, problem. `path` as in 'hbm.channels.south'. */
export const labField = (page: Page, part: Part, path: string): Locator =>
  page.getByTestId(`panel-${part}`).getByTestId(`field-${path}`)

/** The control in it. */
export const labInput = (page: Page, part: Part, path: string): Locator =>
  labField(page, part, path).locator('input, select')

/** Waits until the estimates are those of what the form says. */
export async function waitForEstimates(page: Page): Promise<void> {
  await page.locator('[data-testid="estimate-panel"][data-state="current"]').waitFor()
}

/** Types a value as a person does, and waits for its estimates. */
export async function typeValue(page: Page, part: Part, path: string, text: string): Promise<void> {
  await labInput(page, part, path).fill(text)
  await waitForEstimates(page)
}

export const estimateOf = (page: Page, dataflow: Dataflow): Locator =>
  page.getByTestId(`estimate-${dataflow}`)

/** Leaves only these dataflows chosen. */
export async function chooseDataflows(page: Page, chosen: readonly Dataflow[]): Promise<void> {
  for (const box of await page.locator('input[data-testid^="dataflow-"]').all()) {
    const id = await box.getAttribute('data-testid')
    await box.setChecked(chosen.some(dataflow => id === `dataflow-${dataflow}`))
  }
}

/** The number of the experiment whose result is shown. */
export async function shownExperimentId(page: Page): Promise<number> {
  await page.getByTestId('result-page').waitFor()
  const id = /#\/experiments\/(\d+)$/.exec(page.url())?.[1]
  if (id === undefined) throw new Error(`${page.url()} is not the address of a result`)
  return Number(id)
}

/** Waits until no run of the shown experiment is queued or running. */
export async function waitForRuns(page: Page): Promise<void> {
  await page.getByTestId('result-page').waitFor()
  await expect
    .poll(() => page.locator('[data-status="queued"], [data-status="running"]').count())
    .toBe(0)
}
