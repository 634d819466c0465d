import type { Page } from 'playwright-core'

interface ChartSeries {
  readonly name: string
  readonly type: string
  readonly data: unknown[]
}

/** What a chart says that it draws. */
export async function chartData(page: Page, chart: string): Promise<ChartSeries[]> {
  const figure = page.getByTestId(`chart-${chart}`).locator('[data-chart]')
  return JSON.parse((await figure.getAttribute('data-chart')) ?? '[]') as ChartSeries[]
}

/**
 * The shapes that a chart has really drawn, by the colour that fills them; those without an area
 * are left out.
 */
export async function drawnShapes(page: Page, chart: string): Promise<Map<string, number>> {
  const fills = await page
    .getByTestId(`chart-${chart}`)
    .locator('svg path')
    .evaluateAll(paths =>
      paths.flatMap(path => {
        const { width, height } = path.getBoundingClientRect()
        const fill = path.getAttribute('fill') ?? 'none'
        return fill === 'none' || fill === 'transparent' || width * height === 0
          ? []
          : [fill.toLowerCase()]
      }),
    )
  const counts = new Map<string, number>()
  for (const fill of fills) counts.set(fill, (counts.get(fill) ?? 0) + 1)
  return counts
}
