import type { Locator, Page } from 'playwright-core'
import type { AttentionExperiment, Run } from '#shared/ipc/contract.ts'
import { metrics } from '#shared/results/metric.ts'
import { formatQuantity } from '#shared/units/format.ts'
import { tesseraJson } from '#test/support/e2e-command.ts'

/** What the command line says about an experiment: the stored documents. */
export const showExperiment = async (
  dataDirectory: string,
  id: number,
): Promise<AttentionExperiment> =>
  (await tesseraJson(dataDirectory, ['runs', 'show', String(id)])) as AttentionExperiment

/** The cell of a table of results. */
export const metricCell = (page: Page, metricId: string, runKey: string): Locator =>
  page.getByTestId(`metric-${metricId}`).locator(`[data-run="${runKey}"]`)

/** The number in it that opens its explanation. */
export const metricButton = (page: Page, metricId: string, runKey: string): Locator =>
  metricCell(page, metricId, runKey).getByRole('button')

export const runKey = (experimentId: number, run: Pick<Run, 'dataflow'>): string =>
  `${String(experimentId)}:${run.dataflow}`

/** Every metric of a finished run as the app writes it: what a table must show. */
export function metricTexts(run: Run): { id: string; text: string }[] {
  const { document } = run
  if (document === null) throw new Error(`${run.dataflow} has no result`)
  return metrics.map(({ id, unit, value }) => ({
    id,
    text: formatQuantity(value(document.result), unit),
  }))
}
