import type { ChartOption, ChartSeries } from '#renderer/charts/chart-option.ts'
import { MEASURED_COLOR, splitLooks } from '#renderer/charts/theme.ts'
import { formatNumber } from '#shared/units/format.ts'

/** An operating point of a deployment, in the units of the chart. */
export interface TradeOffPoint {
  readonly label: string
  readonly tpotMs: number
  readonly tokensPerSecondPerChip: number
}

/** Points that are drawn alike and joined by a line. */
export interface TradeOffCurve {
  /** Curves of one name have one colour and one entry in the legend. */
  readonly name: string
  readonly kind: 'flat' | 'flash' | 'other'
  readonly points: readonly TradeOffPoint[]
}

export interface TradeOff {
  readonly curves: readonly TradeOffCurve[]
  readonly front: readonly TradeOffPoint[]
  readonly measured: readonly TradeOffPoint[]
  readonly chosen: TradeOffPoint | undefined
  readonly limitMs: number | undefined
  readonly isLogTpot: boolean
  readonly isLogThroughput: boolean
}

const GREY = '#8c959f'
/** Of the ring around the point that is shown; readable on light and dark. */
const CHOSEN_COLOR = '#e0457b'

/** Throughput of a chip over TPOT. The curves come first, so that their index is that of a series. */
export function tradeOffOption(tradeOff: TradeOff): ChartOption {
  const { curves, front, measured, chosen, limitMs, isLogTpot, isLogThroughput } = tradeOff
  const names = [...new Set(curves.filter(({ kind }) => kind !== 'other').map(({ name }) => name))]
  const all = [...curves.flatMap(({ points }) => points), ...measured]
  const rates = all.map(point => point.tokensPerSecondPerChip)
  const low = isLogThroughput ? 10 ** Math.floor(Math.log10(Math.min(...rates, 1000))) : 0
  const high = isLogThroughput ? 10 ** Math.ceil(Math.log10(Math.max(...rates, 1000))) : undefined
  const top = high ?? Math.ceil(Math.max(...rates, 1000) / 1000) * 1000
  return {
    grid: {
      left: 30,
      right: 20,
      top: 76,
      bottom: 30,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend: { top: 0, left: 0, itemWidth: 16, itemHeight: 10, itemGap: 10 },
    tooltip: { trigger: 'item', confine: true },
    xAxis: {
      type: isLogTpot ? 'log' : 'value',
      name: 'TPOT (ms)',
      nameLocation: 'middle',
      nameGap: 26,
      ...(isLogTpot ? logRange(all.map(({ tpotMs }) => tpotMs)) : { min: 0 }),
      axisLabel: { formatter: (value: number) => formatNumber(value), hideOverlap: true },
    },
    yAxis: {
      type: isLogThroughput ? 'log' : 'value',
      name: 'Throughput per chip (tokens/s)',
      nameLocation: 'middle',
      nameGap: 58,
      min: low,
      max: top,
      axisLabel: { formatter: (value: number) => formatNumber(value) },
    },
    aria: { enabled: true },
    series: [
      ...curves.map(curve => curveSeries(curve, names.indexOf(curve.name))),
      lineSeries('Pareto front', front.map(valueOf), { width: 7, color: GREY, opacity: 0.35 }),
      ...(limitMs === undefined
        ? []
        : [
            lineSeries(
              `TPOT limit ${formatNumber(limitMs)} ms`,
              [
                [limitMs, low || 0],
                [limitMs, top],
              ],
              {
                width: 1.5,
                color: MEASURED_COLOR,
                type: 'dashed' as const,
              },
            ),
          ]),
      markSeries('Measured', measured, 'diamond', MEASURED_COLOR, true),
      markSeries(
        'This deployment',
        chosen === undefined ? [] : [chosen],
        'ring',
        CHOSEN_COLOR,
        false,
      ),
    ],
  }
}

const valueOf = ({ tpotMs, tokensPerSecondPerChip }: TradeOffPoint): [number, number] => [
  tpotMs,
  tokensPerSecondPerChip,
]

/** Steps of 1, 2 and 5, so that a narrow range is not drawn as a wide one. */
function logRange(values: readonly number[]): { min: number; max: number } {
  return { min: roundDown(Math.min(...values, 50)), max: roundUp(Math.max(...values, 50)) }
}
const roundDown = (value: number): number => {
  const decade = 10 ** Math.floor(Math.log10(value))
  return decade * ([5, 2].find(step => step * decade <= value) ?? 1)
}
const roundUp = (value: number): number => {
  const decade = 10 ** Math.floor(Math.log10(value))
  return decade * ([1, 2, 5].find(step => step * decade >= value) ?? 10)
}

function curveSeries({ name, kind, points }: TradeOffCurve, index: number): ChartSeries {
  const look = splitLooks[Math.max(0, index) % splitLooks.length] ?? {
    color: GREY,
    symbol: 'circle',
  }
  const shared = { name, data: points.map(valueOf), tooltip: { formatter: tipOf(points) } }
  if (kind === 'other') {
    return { ...shared, type: 'scatter', symbolSize: 5, itemStyle: { color: GREY, opacity: 0.55 } }
  }
  return {
    ...shared,
    type: 'line',
    symbol: kind === 'flat' ? look.symbol : `empty${capitalized(look.symbol)}`,
    symbolSize: 8,
    showAllSymbol: true,
    lineStyle: { width: 1.5, color: look.color, type: kind === 'flat' ? 'solid' : 'dashed' },
    itemStyle: { color: look.color },
    z: 3,
  }
}

function lineSeries(
  name: string,
  data: [number, number][],
  lineStyle: { width: number; color: string; opacity?: number; type?: 'dashed' },
): ChartSeries {
  return {
    ...{ type: 'line', name, data, lineStyle, symbol: 'none', silent: true, z: 1 },
    itemStyle: { color: lineStyle.color },
  }
}

function markSeries(
  name: string,
  points: readonly TradeOffPoint[],
  mark: 'ring' | 'diamond',
  color: string,
  isLabelled: boolean,
): ChartSeries {
  return {
    ...{ type: 'scatter', name, z: 5, symbol: mark === 'ring' ? 'circle' : mark },
    symbolSize: mark === 'ring' ? 20 : 13,
    itemStyle:
      mark === 'ring'
        ? { color: 'transparent', borderColor: color, borderWidth: 3, opacity: 1 }
        : { color, opacity: 1 },
    // The point inside the ring stays clickable.
    silent: mark === 'ring',
    data: points.map(valueOf),
    label: {
      show: isLabelled,
      position: 'left',
      distance: 6,
      fontSize: 11,
      formatter: ({ dataIndex }) => points[dataIndex]?.label ?? '',
    },
    labelLayout: { moveOverlap: 'shiftY' },
    tooltip: { formatter: tipOf(points) },
  }
}

const tipOf =
  (points: readonly TradeOffPoint[]) =>
  (parameters: { dataIndex: number } | { dataIndex: number }[]): string => {
    const point = points[[parameters].flat()[0]?.dataIndex ?? -1]
    return point === undefined
      ? ''
      : `${point.label}<br>TPOT ${formatNumber(point.tpotMs)} ms<br>` +
          `${formatNumber(point.tokensPerSecondPerChip)} tokens/s per chip`
  }

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
