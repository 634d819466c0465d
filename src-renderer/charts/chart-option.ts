import type { BarSeriesOption, LineSeriesOption, ScatterSeriesOption } from 'echarts/charts'
import type {
  AriaComponentOption,
  GridComponentOption,
  LegendComponentOption,
  TooltipComponentOption,
} from 'echarts/components'
import type { ComposeOption } from 'echarts/core'

export type ChartOption = ComposeOption<
  | AriaComponentOption
  | BarSeriesOption
  | GridComponentOption
  | LegendComponentOption
  | LineSeriesOption
  | ScatterSeriesOption
  | TooltipComponentOption
>

export type ChartSeries = BarSeriesOption | LineSeriesOption | ScatterSeriesOption

/** A row of a bar chart over runs. */
export interface ChartBar {
  readonly label: string
}

/** What a chart draws, without its looks: for tests and for people who read the page's source. */
export function chartData(option: ChartOption): { name: string; type: string; data: unknown }[] {
  const { series } = option
  const list = series === undefined ? [] : Array.isArray(series) ? series : [series]
  return list.map(({ name, type, data }) => ({
    name: String(name ?? ''),
    type: type ?? '',
    data: data ?? [],
  }))
}

/** Horizontal bars, the first one on top, with room for a number at their end. */
export function horizontalBars(
  labels: readonly string[],
  unit: {
    readonly name: string
    readonly format: (value: number) => string
    readonly max?: number
    readonly interval?: number
    /** Room for the legend, in pixels; one line of it where left out. */
    readonly legendHeight?: number
  },
): ChartOption {
  return {
    grid: {
      left: 8,
      right: 84,
      top: unit.legendHeight ?? 34,
      bottom: 26,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend: { top: 0, left: 0, itemWidth: 12, itemHeight: 10, itemGap: 12 },
    tooltip: {
      trigger: 'axis',
      axisPointer: { type: 'shadow' },
      confine: true,
      valueFormatter: value => (typeof value === 'number' ? unit.format(value) : ''),
    },
    xAxis: {
      type: 'value',
      name: unit.name,
      nameLocation: 'middle',
      nameGap: 26,
      min: 0,
      ...(unit.max === undefined ? {} : { max: unit.max }),
      ...(unit.interval === undefined ? {} : { interval: unit.interval }),
      splitNumber: 4,
      axisLabel: { formatter: (value: number) => unit.format(value), hideOverlap: true },
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: [...labels],
      axisTick: { show: false },
      axisLabel: { width: 170, overflow: 'truncate' },
    },
    aria: { enabled: true },
  }
}

/** Ticks at powers of two, for capacities: at most five, from 0 to just above the largest value. */
export function binaryTicks(largest: number): { max: number; interval: number } {
  if (!(largest > 0)) return { max: 1, interval: 1 }
  const interval = 2 ** Math.ceil(Math.log2(largest / 4))
  return { max: Math.ceil(largest / interval) * interval, interval }
}
