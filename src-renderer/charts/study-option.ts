import type { ChartOption, ChartSeries } from '#renderer/charts/chart-option.ts'
import { MEASURED_COLOR, splitLooks } from '#renderer/charts/theme.ts'

/** Values over the categories of an axis; null where there is none. */
export interface StudySeries {
  readonly name: string
  /** line: computed. published: marks alone, in the colour of its line. limit: a dashed line. */
  readonly kind: 'line' | 'published' | 'limit'
  /** Series of one number share a colour. */
  readonly look: number
  readonly values: readonly (number | null)[]
}

/** A chart of a study, before it is known whether its axis is logarithmic. */
export interface StudyChart {
  readonly id: string
  readonly title: string
  readonly note: string
  readonly xName: string
  readonly xLabels: readonly string[]
  readonly yName: string
  readonly format: (value: number) => string
  readonly isLog: boolean
  /** End and ticks of a linear axis; chosen by the chart where left out. */
  readonly linear?: { readonly max: number; readonly interval?: number }
  readonly series: readonly StudySeries[]
}

/** Lines over categories, with published numbers as hollow marks. */
export function studyOption(chart: StudyChart, isLog: boolean): ChartOption {
  return {
    grid: {
      left: 34,
      right: 20,
      top: 24 + 20 * Math.ceil(chart.series.length / 3),
      bottom: 30,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend: { top: 0, left: 0, itemWidth: 20, itemHeight: 10, itemGap: 10 },
    tooltip: {
      trigger: 'axis',
      confine: true,
      valueFormatter: value => (typeof value === 'number' ? chart.format(value) : '–'),
    },
    xAxis: {
      type: 'category',
      name: chart.xName,
      nameLocation: 'middle',
      nameGap: 28,
      data: [...chart.xLabels],
    },
    yAxis: {
      type: isLog ? 'log' : 'value',
      name: chart.yName,
      nameLocation: 'middle',
      nameGap: 62,
      ...(isLog ? logRange(chart) : { min: 0, ...chart.linear }),
      axisLabel: { formatter: chart.format },
    },
    aria: { enabled: true },
    series: chart.series.map(seriesOf),
  }
}

/** Whole decades around what is drawn: the marks of a logarithmic axis are powers of ten. */
function logRange({ series }: StudyChart): { min?: number; max?: number } {
  const values = series.flatMap(one => one.values.filter(value => value !== null && value > 0))
  const numbers = values.filter(value => value !== null)
  if (numbers.length === 0) return {}
  return {
    min: 10 ** Math.floor(Math.log10(Math.min(...numbers))),
    max: 10 ** Math.ceil(Math.log10(Math.max(...numbers))),
  }
}

function seriesOf({ name, kind, look, values }: StudySeries): ChartSeries {
  const { color, symbol } = splitLooks[look % splitLooks.length] ?? splitLooks[0]
  const data = values.map(value => value ?? '-')
  if (kind === 'published') {
    return {
      ...{ type: 'scatter', name, data, symbol: 'diamond', symbolSize: 14, z: 4 },
      itemStyle: { color: 'transparent', borderWidth: 2, borderColor: color, opacity: 1 },
    }
  }
  if (kind === 'limit') {
    return {
      ...{ type: 'line', name, data, symbol: 'none', z: 1 },
      lineStyle: { width: 1.5, type: 'dashed', color: MEASURED_COLOR },
      itemStyle: { color: MEASURED_COLOR },
    }
  }
  return {
    ...{ type: 'line', name, data, symbol, symbolSize: 8, showAllSymbol: true, z: 3 },
    lineStyle: { width: 1.8, color },
    itemStyle: { color },
  }
}
