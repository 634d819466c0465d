import type { ChartBar, ChartOption, ChartSeries } from '#renderer/charts/chart-option.ts'
import { horizontalBars } from '#renderer/charts/chart-option.ts'
import { componentColors } from '#renderer/charts/theme.ts'
import {
  breakdownComponents,
  componentLabels,
  type BreakdownPart,
} from '#shared/results/attention-result.ts'
import { formatSeconds } from '#shared/units/format.ts'

export interface BreakdownBar extends ChartBar {
  readonly seconds: number
  readonly breakdown: readonly BreakdownPart[]
}

/** Exposed time of each run, stacked by component; the parts add up to the runtime at the end. */
export function breakdownOption(bars: readonly BreakdownBar[]): ChartOption {
  const lastComponent = breakdownComponents.at(-1)
  const series = breakdownComponents.map((component): ChartSeries => ({
    type: 'bar',
    name: componentLabels[component],
    stack: 'exposed',
    barMaxWidth: 26,
    itemStyle: { color: componentColors[component] },
    data: bars.map(({ breakdown }) => exposedSeconds(breakdown, component)),
    ...(component === lastComponent
      ? {
          label: {
            show: true,
            position: 'right',
            formatter: ({ dataIndex }) => formatSeconds(bars[dataIndex]?.seconds),
          },
        }
      : {}),
  }))
  return {
    ...horizontalBars(
      bars.map(bar => bar.label),
      { name: 'Exposed time', format: value => formatSeconds(value, 3) },
    ),
    series,
  }
}

const exposedSeconds = (breakdown: readonly BreakdownPart[], component: string): number =>
  breakdown.find(part => part.component === component)?.seconds ?? 0
