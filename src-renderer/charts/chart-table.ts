import type { ChartOption } from '#renderer/charts/chart-option.ts'
import { formatNumber } from '#shared/units/format.ts'

/** What a chart draws as rows and columns of text. */
export interface ChartTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

interface Axis {
  readonly type?: string
  readonly name?: string
  readonly data?: readonly unknown[]
  readonly axisLabel?: { readonly formatter?: unknown }
}

/** The numbers of a chart as a table: a row for each category, else one for each point. */
export function chartTable(option: ChartOption): ChartTable {
  const [xAxis, yAxis] = [firstAxis(option.xAxis), firstAxis(option.yAxis)]
  const series = [option.series ?? []].flat().map(({ name, data }) => ({
    name: String(name ?? ''),
    data: Array.isArray(data) ? (data as readonly unknown[]) : [],
  }))
  const category = [xAxis, yAxis].find(({ type }) => type === 'category')
  const value = category === xAxis ? yAxis : xAxis
  if (category !== undefined) {
    return {
      columns: [category.name ?? '', ...series.map(({ name }) => headOf(name, value))],
      rows: (category.data ?? []).map((label, index) => [
        String(label),
        ...series.map(({ data }) => textOf(valueOf(data[index]), value)),
      ]),
    }
  }
  return {
    columns: ['Series', xAxis.name ?? 'x', yAxis.name ?? 'y'],
    rows: series.flatMap(({ name, data }) =>
      data.flatMap(point => {
        const pair = pointOf(point)
        return pair === undefined ? [] : [[name, textOf(pair[0], xAxis), textOf(pair[1], yAxis)]]
      }),
    ),
  }
}

const firstAxis = (axis: unknown): Axis => [axis ?? {}].flat()[0] as Axis

/** The unit stands in the name of the axis, or in each value. */
const headOf = (series: string, { name }: Axis): string => {
  const unit = /\(([^)]*)\)$/.exec(name ?? '')?.[1]
  return unit === undefined ? series : `${series} (${unit})`
}

const valueOf = (entry: unknown): unknown =>
  typeof entry === 'object' && entry !== null && 'value' in entry ? entry.value : entry

function pointOf(entry: unknown): readonly [unknown, unknown] | undefined {
  const value = valueOf(entry)
  return Array.isArray(value) && value.length >= 2 ? [value[0], value[1]] : undefined
}

function textOf(value: unknown, { axisLabel }: Axis): string {
  if (typeof value === 'string') return value === '-' ? '' : value
  if (typeof value !== 'number') return ''
  const formatter = axisLabel?.formatter
  const text = typeof formatter === 'function' ? (formatter as (v: number) => unknown)(value) : ''
  // The labels of an axis may be whole percents or round numbers; a table has room for more.
  return typeof text === 'string' && /[^\d.,\s%-]/.test(text) ? text : formatNumber(value, 5)
}
