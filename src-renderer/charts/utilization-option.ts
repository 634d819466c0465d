import type { ChartBar, ChartOption, ChartSeries } from '#renderer/charts/chart-option.ts'
import { horizontalBars } from '#renderer/charts/chart-option.ts'
import { FIRST_COLOR, SECOND_COLOR } from '#renderer/charts/theme.ts'
import { formatPercent } from '#shared/units/format.ts'

export interface UtilizationBar extends ChartBar {
  readonly matrixUtilization: number
  readonly hbmBandwidthUtilization: number
}

/** How busy the matrix engines and the memory of each run are, of their peaks. */
export function utilizationOption(bars: readonly UtilizationBar[]): ChartOption {
  const bar = (name: string, color: string, values: readonly number[]): ChartSeries => ({
    type: 'bar',
    name,
    barMaxWidth: 12,
    itemStyle: { color },
    data: [...values],
    label: {
      show: true,
      position: 'right',
      fontSize: 11,
      formatter: ({ dataIndex }) => formatPercent(values[dataIndex]),
    },
  })
  return {
    ...horizontalBars(
      bars.map(({ label }) => label),
      { name: 'Utilisation', format: value => formatPercent(value, 0), max: 1, interval: 0.2 },
    ),
    series: [
      bar(
        'Matrix engines',
        FIRST_COLOR,
        bars.map(({ matrixUtilization }) => matrixUtilization),
      ),
      bar(
        'HBM bandwidth',
        SECOND_COLOR,
        bars.map(({ hbmBandwidthUtilization }) => hbmBandwidthUtilization),
      ),
    ],
  }
}
