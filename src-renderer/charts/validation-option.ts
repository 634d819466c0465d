import type { ChartOption, ChartSeries } from '#renderer/charts/chart-option.ts'
import { escapeHtml } from '#renderer/charts/escape-html.ts'
import { FIRST_COLOR, MEASURED_COLOR } from '#renderer/charts/theme.ts'
import { formatNumber, formatPercent, formatQuantity } from '#shared/units/format.ts'

/** A published number and what the model says of it. */
export interface ComparedPoint {
  readonly name: string
  readonly predicted: number
  readonly published: number
  readonly unit: string
  /** Fraction of the published number, or points / 100. */
  readonly error: number
}

const GREY = '#8c959f'

const grid = {
  left: 30,
  right: 24,
  top: 40,
  bottom: 30,
  outerBoundsMode: 'same',
  outerBoundsContain: 'axisLabel',
} as const

/** Axis over published numbers: logarithmic where they span more than a decade. */
function valueAxis(points: readonly ComparedPoint[], values: readonly number[], what: string) {
  const units = new Set(points.map(({ unit }) => unit))
  const [unit = ''] = units
  const suffix = units.size > 1 || unit === '' || unit === '1' ? '' : ` (${unit})`
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const isLog = low > 0 && high / low > 10
  return {
    type: isLog ? ('log' as const) : ('value' as const),
    name: `${what}${suffix}`,
    nameLocation: 'middle' as const,
    axisLabel: { formatter: (value: number) => formatNumber(value, 3), hideOverlap: true },
    ...(isLog
      ? { min: 10 ** Math.floor(Math.log10(low)), max: 10 ** Math.ceil(Math.log10(high)) }
      : { scale: true }),
  }
}

/** Predicted over published; on the line where they are equal, the model is right. */
export function parityOption(points: readonly ComparedPoint[]): ChartOption {
  const values = points.flatMap(({ predicted, published }) => [predicted, published])
  const axis = valueAxis(points, values, 'Published')
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const line = (name: string, factor: number, type: 'solid' | 'dashed'): ChartSeries => ({
    ...lineLooks(name, type),
    data: [
      [low, low * factor],
      [high, high * factor],
    ],
  })
  return {
    grid,
    legend: { top: 0, left: 0, itemWidth: 16, itemHeight: 10 },
    tooltip: { trigger: 'item', confine: true },
    xAxis: { ...axis, nameGap: 26 },
    yAxis: { ...axis, name: axis.name.replace('Published', 'Predicted'), nameGap: 60 },
    aria: { enabled: true },
    series: [
      pointSeries(
        points,
        points.map(({ published, predicted }) => [published, predicted]),
      ),
      line('Equal', 1, 'solid'),
      line('10 % more', 1.1, 'dashed'),
      line('10 % less', 0.9, 'dashed'),
    ],
  }
}

/** The error of each number over the number, between the lines of the largest that is allowed. */
export function residualOption(points: readonly ComparedPoint[], allowed: number): ChartOption {
  const values = points.map(({ published }) => published)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const largest = Math.max(allowed, ...points.map(({ error }) => Math.abs(error)))
  const reach = roundUp(Math.max(largest, 0.001))
  const line = (name: string, error: number, type: 'solid' | 'dashed'): ChartSeries => ({
    ...lineLooks(name, type),
    data: [
      [low, error],
      [high, error],
    ],
  })
  return {
    grid,
    legend: { top: 0, left: 0, itemWidth: 16, itemHeight: 10 },
    tooltip: { trigger: 'item', confine: true },
    xAxis: { ...valueAxis(points, values, 'Published'), nameGap: 26 },
    yAxis: {
      type: 'value',
      name: 'Error',
      nameLocation: 'middle',
      nameGap: 52,
      min: -reach,
      max: reach,
      axisLabel: { formatter: (value: number) => formatPercent(value, reach < 0.01 ? 2 : 1) },
    },
    aria: { enabled: true },
    series: [
      pointSeries(
        points,
        points.map(({ published, error }) => [published, error]),
      ),
      ...(allowed > 0
        ? [line('Largest allowed', allowed, 'dashed'), line('Largest allowed', -allowed, 'dashed')]
        : []),
    ],
  }
}

const lineLooks = (name: string, type: 'solid' | 'dashed'): ChartSeries => ({
  ...{ type: 'line', name, symbol: 'none', silent: true, z: 1 },
  lineStyle: { width: 1.5, type, color: type === 'solid' ? GREY : MEASURED_COLOR },
  itemStyle: { color: type === 'solid' ? GREY : MEASURED_COLOR },
})

function pointSeries(
  points: readonly ComparedPoint[],
  data: readonly (readonly [number, number])[],
): ChartSeries {
  return {
    type: 'scatter',
    name: 'Published numbers',
    symbolSize: 9,
    itemStyle: { color: FIRST_COLOR, opacity: 0.8 },
    data: data.map(([x, y]) => [x, y]),
    z: 3,
    tooltip: {
      formatter: parameters => {
        const point = points[[parameters].flat()[0]?.dataIndex ?? -1]
        return point === undefined ? '' : tipOf(point)
      },
    },
  }
}

const tipOf = ({ name, predicted, published, unit, error }: ComparedPoint): string =>
  escapeHtml(
    `${name}\nPredicted ${withUnit(predicted, unit)}\nPublished ${withUnit(published, unit)}\n` +
      `Error ${error > 0 ? '+' : ''}${formatPercent(error)}`,
  ).replaceAll('\n', '<br>')

/** Rows of sets give percentages as numbers, and bytes in their own prefix. */
const withUnit = (value: number, unit: string): string =>
  unit === '%' ? `${formatNumber(value)} %` : formatQuantity(value, unit)

/** Steps of 1, 2 and 5. */
function roundUp(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value))
  return decade * ([1, 2, 5].find(step => step * decade >= value) ?? 10)
}
