import { horizontalBars, type ChartOption } from '#renderer/charts/chart-option.ts'
import { FIRST_COLOR, MEASURED_COLOR, SECOND_COLOR } from '#renderer/charts/theme.ts'
import { formatSeconds } from '#shared/units/format.ts'

export const stepKinds = ['compute', 'memory', 'communication'] as const

/** A kernel or an exchange of a layer. */
export interface LayerStep {
  readonly label: string
  readonly seconds: number
  readonly kind: (typeof stepKinds)[number]
}

const looks = {
  compute: { name: 'Bound by compute', color: FIRST_COLOR },
  memory: { name: 'Bound by memory', color: SECOND_COLOR },
  communication: { name: 'Communication', color: MEASURED_COLOR },
} as const

/** Time of each step of a layer, one bar each. */
export function kernelTimeOption(steps: readonly LayerStep[]): ChartOption {
  return {
    ...horizontalBars(
      steps.map(({ label }) => label),
      // In a narrow panel the legend takes two lines.
      { name: 'Time in a layer', format: value => formatSeconds(value, 3), legendHeight: 52 },
    ),
    series: stepKinds.map(kind => ({
      type: 'bar' as const,
      name: looks[kind].name,
      stack: 'time',
      barMaxWidth: 14,
      itemStyle: { color: looks[kind].color },
      data: steps.map(step => (step.kind === kind ? step.seconds : 0)),
      label: {
        show: true,
        position: 'right' as const,
        formatter: ({ dataIndex }: { dataIndex: number }) =>
          steps[dataIndex]?.kind === kind ? formatSeconds(steps[dataIndex].seconds, 3) : '',
      },
    })),
  }
}
