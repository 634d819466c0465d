import type { ChartBar, ChartOption } from '#renderer/charts/chart-option.ts'
import { binaryTicks, horizontalBars } from '#renderer/charts/chart-option.ts'
import { FIRST_COLOR, SECOND_COLOR } from '#renderer/charts/theme.ts'
import { formatBytes } from '#shared/units/format.ts'

export interface TrafficBar extends ChartBar {
  readonly readBytes: number
  readonly writeBytes: number
}

/** HBM traffic of each run: read and written, with the sum at the end. */
export function trafficOption(bars: readonly TrafficBar[]): ChartOption {
  return {
    ...horizontalBars(
      bars.map(bar => bar.label),
      {
        name: 'HBM traffic',
        format: value => formatBytes(value, 3),
        ...binaryTicks(Math.max(...bars.map(bar => bar.readBytes + bar.writeBytes))),
      },
    ),
    series: [
      {
        type: 'bar',
        name: 'Read',
        stack: 'traffic',
        barMaxWidth: 22,
        itemStyle: { color: FIRST_COLOR },
        data: bars.map(bar => bar.readBytes),
      },
      {
        type: 'bar',
        name: 'Written',
        stack: 'traffic',
        barMaxWidth: 22,
        itemStyle: { color: SECOND_COLOR },
        data: bars.map(bar => bar.writeBytes),
        label: {
          show: true,
          position: 'right',
          formatter: ({ dataIndex }) => {
            const bar = bars[dataIndex]
            return formatBytes(bar && bar.readBytes + bar.writeBytes)
          },
        },
      },
    ],
  }
}
