import type { ChartOption, ChartSeries } from '#renderer/charts/chart-option.ts'
import { FIRST_COLOR, MEASURED_COLOR } from '#renderer/charts/theme.ts'
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
  readonly isMeasured: boolean
}

/** Throughput over arithmetic intensity, both logarithmic, under the roofs that bound it. */
export function rooflineOption(
  roofs: readonly Roof[],
  points: readonly RooflinePoint[],
): ChartOption {
  const drawn = points.filter(point => point.arithmeticIntensity > 0 && point.flopsPerSecond > 0)
  const ridges = roofs.map(ridge)
  const intensities = [...ridges, ...drawn.map(point => point.arithmeticIntensity)]
  const from = 10 ** Math.floor(Math.log10(Math.min(...intensities) / 3))
  const to = 10 ** Math.ceil(Math.log10(Math.max(...intensities) * 2))
  const rates = [
    ...roofs.map(roof => roof.peakBytesPerSecond * from),
    ...drawn.map(point => point.flopsPerSecond),
  ]
  return {
    grid: {
      left: 8,
      right: 24,
      top: 52,
      bottom: 28,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend: { top: 0, left: 0, itemWidth: 18, itemHeight: 10, itemGap: 12 },
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
      nameLocation: 'end',
      nameTextStyle: { align: 'left' },
      min: 10 ** Math.floor(Math.log10(Math.min(...rates))),
      axisLabel: { formatter: (value: number) => formatFlopRate(value, 3) },
    },
    aria: { enabled: true },
    series: [
      ...roofs.map(roof => roofSeries(roof, from, to)),
      pointSeries(
        'Simulated',
        FIRST_COLOR,
        'circle',
        drawn.filter(point => !point.isMeasured),
      ),
      pointSeries(
        'Measured',
        MEASURED_COLOR,
        'diamond',
        drawn.filter(point => point.isMeasured),
      ),
    ].filter(series => (series.data?.length ?? 0) > 0),
  }
}

/** Where the memory roof meets the compute roof, in FLOP/B. */
export const ridge = (roof: Pick<Roof, 'peakFlopsPerSecond' | 'peakBytesPerSecond'>): number =>
  roof.peakFlopsPerSecond / roof.peakBytesPerSecond

function roofSeries(roof: Roof, from: number, to: number): ChartSeries {
  const { name, peakFlopsPerSecond, peakBytesPerSecond, isBaseline } = roof
  return {
    type: 'line',
    name,
    symbol: 'none',
    silent: true,
    lineStyle: {
      width: 1.5,
      type: isBaseline ? 'dashed' : 'solid',
      color: isBaseline ? MEASURED_COLOR : FIRST_COLOR,
    },
    itemStyle: { color: isBaseline ? MEASURED_COLOR : FIRST_COLOR },
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
    itemStyle: { color },
    data: points.map(({ arithmeticIntensity, flopsPerSecond }) => [
      arithmeticIntensity,
      flopsPerSecond,
    ]),
    label: {
      show: true,
      position: 'bottom',
      distance: 6,
      fontSize: 11,
      formatter: ({ dataIndex }) => points[dataIndex]?.label ?? '',
    },
    labelLayout: { hideOverlap: true },
    tooltip: {
      formatter: parameters => {
        const { dataIndex } = [parameters].flat()[0] ?? { dataIndex: -1 }
        const point = points[dataIndex]
        return point === undefined
          ? ''
          : `${escaped(point.label)}: ${formatFlopRate(point.flopsPerSecond)} at ` +
              `${formatNumber(point.arithmeticIntensity)} FLOP/B`
      },
    },
  }
}

/** Tooltips are HTML; names are the person's own text. */
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, character => `&#${String(character.charCodeAt(0))};`)
