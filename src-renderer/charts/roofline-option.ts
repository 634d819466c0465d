import type { ChartOption, ChartSeries } from '#renderer/charts/chart-option.ts'
import { escapeHtml } from '#renderer/charts/escape-html.ts'
import { FIRST_COLOR, MEASURED_COLOR, roofColors } from '#renderer/charts/theme.ts'
import { formatFlopRate, formatNumber } from '#shared/units/format.ts'

export interface Roof {
  readonly name: string
  readonly peakFlopsPerSecond: number
  readonly peakBytesPerSecond: number
  /** Drawn for reference, not the chip of the runs. */
  readonly isBaseline: boolean
}

export interface RooflinePoint {
  readonly label: string
  /** Useful FLOPs per byte of HBM traffic. */
  readonly arithmeticIntensity: number
  readonly flopsPerSecond: number
  readonly origin: 'simulated' | 'measured' | 'interpolated'
}

/** A series for each origin, in the order of the legend. */
const pointStyles = [
  { origin: 'simulated', name: 'Simulated', color: FIRST_COLOR, symbol: 'circle' },
  { origin: 'measured', name: 'Measured', color: MEASURED_COLOR, symbol: 'diamond' },
  { origin: 'interpolated', name: 'Interpolated', color: MEASURED_COLOR, symbol: 'emptyDiamond' },
] as const
const LINE_ICON = 'path://M0 4h16v2h-16z'

/** Throughput over arithmetic intensity, both logarithmic, under the roofs that bound it. */
export function rooflineOption(
  roofs: readonly Roof[],
  points: readonly RooflinePoint[],
): ChartOption {
  const drawn = points.filter(point => point.arithmeticIntensity > 0 && point.flopsPerSecond > 0)
  const styles = pointStyles.filter(({ origin }) => drawn.some(point => point.origin === origin))
  const ridges = roofs.map(ridge)
  const intensities = [...ridges, ...drawn.map(point => point.arithmeticIntensity)]
  const from = 10 ** Math.floor(Math.log10(Math.min(...intensities) / 3))
  const to = 10 ** Math.ceil(Math.log10(Math.max(...intensities) * 2))
  const peaks = roofs.map(roof => roof.peakFlopsPerSecond)
  const lowest = Math.min(...drawn.map(point => point.flopsPerSecond), ...peaks)
  return {
    grid: {
      left: 28,
      right: 84,
      top: 52,
      bottom: 28,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend: {
      top: 0,
      left: 0,
      itemWidth: 16,
      itemHeight: 10,
      itemGap: 12,
      data: [
        ...roofs.map(({ name }) => ({ name, icon: LINE_ICON })),
        ...styles.map(({ name, symbol }) => ({ name, icon: symbol })),
      ],
    },
    tooltip: { trigger: 'item', confine: true },
    xAxis: {
      type: 'log',
      name: 'Arithmetic intensity (FLOP/B)',
      nameLocation: 'middle',
      nameGap: 26,
      min: from,
      max: to,
      axisLabel: { formatter: (value: number) => formatNumber(value) },
    },
    yAxis: {
      type: 'log',
      name: 'Useful throughput',
      nameLocation: 'middle',
      nameGap: 84,
      min: 10 ** Math.floor(Math.log10(lowest / 2)),
      max: 2 * Math.max(...peaks),
      axisLabel: { formatter: (value: number) => formatFlopRate(value, 3), showMaxLabel: false },
    },
    aria: { enabled: true },
    series: [
      ...roofs.map((roof, index) => roofSeries(roof, roofColor(roof, index), from, to)),
      ...styles.map(({ origin, name, color, symbol }) =>
        pointSeries(
          name,
          color,
          symbol,
          drawn.filter(point => point.origin === origin),
        ),
      ),
    ].filter(series => (series.data?.length ?? 0) > 0),
  }
}

/** Where the memory roof meets the compute roof, in FLOP/B. */
export const ridge = (roof: Pick<Roof, 'peakFlopsPerSecond' | 'peakBytesPerSecond'>): number =>
  roof.peakFlopsPerSecond / roof.peakBytesPerSecond

const roofColor = (roof: Roof, index: number): string =>
  roof.isBaseline ? MEASURED_COLOR : (roofColors[index % roofColors.length] ?? FIRST_COLOR)

function roofSeries(roof: Roof, color: string, from: number, to: number): ChartSeries {
  const { name, peakFlopsPerSecond, peakBytesPerSecond, isBaseline } = roof
  return {
    type: 'line',
    name,
    symbol: 'none',
    silent: true,
    lineStyle: {
      width: 1.5,
      type: isBaseline ? 'dashed' : 'solid',
      color,
    },
    itemStyle: { color },
    data: [
      [from, peakBytesPerSecond * from],
      [ridge(roof), peakFlopsPerSecond],
      [to, peakFlopsPerSecond],
    ],
  }
}

function pointSeries(
  name: string,
  color: string,
  symbol: string,
  points: readonly RooflinePoint[],
): ChartSeries {
  return {
    type: 'scatter',
    name,
    symbol,
    symbolSize: 10,
    z: 4, // above the roofs, which are lines and drawn above points by default
    itemStyle: { color, opacity: 1 },
    data: points.map(({ arithmeticIntensity, flopsPerSecond }) => [
      arithmeticIntensity,
      flopsPerSecond,
    ]),
    label: {
      show: true,
      position: symbol === 'circle' ? 'right' : 'left',
      distance: 6,
      fontSize: 11,
      formatter: ({ dataIndex }) => points[dataIndex]?.label ?? '',
    },
    labelLayout: { hideOverlap: true, moveOverlap: 'shiftY' },
    tooltip: {
      formatter: parameters => {
        const { dataIndex } = [parameters].flat()[0] ?? { dataIndex: -1 }
        const point = points[dataIndex]
        return point === undefined
          ? ''
          : `${escapeHtml(point.label)}: ${formatFlopRate(point.flopsPerSecond)} at ` +
              `${formatNumber(point.arithmeticIntensity)} FLOP/B`
      },
    },
  }
}
