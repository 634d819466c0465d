import { describe, expect, test } from 'vitest'
import { breakdownOption } from '#renderer/charts/breakdown-option.ts'
import { binaryTicks, chartData, type ChartOption } from '#renderer/charts/chart-option.ts'
import { ridge, rooflineOption, type Roof } from '#renderer/charts/roofline-option.ts'
import { trafficOption } from '#renderer/charts/traffic-option.ts'
import { utilizationOption } from '#renderer/charts/utilization-option.ts'
import { breakdownComponents } from '#shared/results/attention-result.ts'
import { makeResult } from '#test/src-renderer/support/make-document.ts'

const valueLabel = (option: ChartOption, value: number): unknown => {
  const axis = [option.xAxis].flat()[0]
  const formatter = axis?.axisLabel?.formatter
  return typeof formatter === 'function'
    ? (formatter as (value: number) => unknown)(value)
    : undefined
}

describe('exposed time', () => {
  const { breakdown } = makeResult({ seconds: 0.002 })
  const option = breakdownOption([
    { label: 'FlatHC', seconds: 0.002, breakdown },
    { label: 'FlatAsync', seconds: 0.001, breakdown: breakdown.slice(0, 1) },
  ])
  const series = chartData(option)

  test('there is a series for each component, in the order of the stack', () => {
    expect(series).toHaveLength(breakdownComponents.length)
    expect(series[0]).toEqual({ name: 'Matrix', type: 'bar', data: [0.0012, 0.0012] })
  })

  test('the parts of a run add up to its runtime', () => {
    const sum = series.reduce((total, { data }) => total + ((data as number[])[0] ?? 0), 0)
    expect(sum).toBeCloseTo(0.002, 12)
  })

  test('a component that a run lacks takes no time', () => {
    expect(series[1]?.data).toEqual([0.0002, 0])
  })

  test('the axis has a unit', () => {
    expect(valueLabel(option, 0.0015)).toBe('1.5 ms')
  })
})

describe('HBM traffic', () => {
  const option = trafficOption([
    { label: 'FA-2', readBytes: 66 * 2 ** 20, writeBytes: 4 * 2 ** 20 },
  ])

  test('read and written are stacked', () => {
    expect(chartData(option)).toEqual([
      { name: 'Read', type: 'bar', data: [66 * 2 ** 20] },
      { name: 'Written', type: 'bar', data: [4 * 2 ** 20] },
    ])
  })

  test('the axis reaches the end of the longest stack', () => {
    const { xAxis } = trafficOption([
      { label: 'FA-2', readBytes: 60, writeBytes: 60 },
      { label: 'FA-3', readBytes: 64, writeBytes: 0 },
    ])
    expect(xAxis).toMatchObject({ max: 128 })
  })

  test('the axis is binary', () => {
    expect(valueLabel(option, 64 * 2 ** 20)).toBe('64 MiB')
    expect(option.xAxis).toMatchObject({ interval: 32 * 2 ** 20, max: 96 * 2 ** 20 })
  })
})

test.each([
  [0, { max: 1, interval: 1 }],
  [1024, { max: 1024, interval: 256 }],
  [1025, { max: 1536, interval: 512 }],
])('binary ticks up to %d', (largest, ticks) => {
  expect(binaryTicks(largest)).toEqual(ticks)
})

test('utilisation goes from 0 to 100 %', () => {
  const option = utilizationOption([
    { label: 'FA-2', matrixUtilization: 0.25, hbmBandwidthUtilization: 0.85 },
  ])
  expect(option.xAxis).toMatchObject({ min: 0, max: 1 })
  expect(valueLabel(option, 0.5)).toBe('50 %')
  expect(chartData(option).map(({ data }) => data)).toEqual([[0.25], [0.85]])
})

describe('roofline', () => {
  const h100: Roof = {
    name: 'H100',
    peakFlopsPerSecond: 989.4e12,
    peakBytesPerSecond: 3.35e12,
    isBaseline: false,
  }
  const point = {
    label: 'FlatAsync',
    arithmeticIntensity: 2048,
    flopsPerSecond: 9e14,
    origin: 'simulated' as const,
  }

  test('the ridge of an H100 in FP16 is at 295 FLOP/B', () => {
    expect(ridge(h100)).toBeCloseTo(295.3, 1)
  })

  test('a roof rises to its ridge and is flat from there', () => {
    const [roof] = chartData(rooflineOption([h100], [point]))
    const corners = roof?.data as [number, number][]
    expect(corners[0]?.[1]).toBe(3.35e12 * (corners[0]?.[0] ?? 0))
    expect(corners[1]).toEqual([ridge(h100), 989.4e12])
    expect(corners[2]?.[1]).toBe(989.4e12)
  })

  test('both axes are logarithmic and contain every point', () => {
    const { xAxis, yAxis } = rooflineOption([h100], [point])
    expect(xAxis).toMatchObject({ type: 'log', min: 10, max: 10_000 })
    expect(yAxis).toMatchObject({ type: 'log', min: 1e14, max: 2 * 989.4e12 })
  })

  test('the lowest point and the lower of two roofs are on the axis', () => {
    const roofs = [h100, { ...h100, name: 'Small', peakFlopsPerSecond: 1e12 }]
    const { yAxis } = rooflineOption(roofs, [{ ...point, flopsPerSecond: 5e9 }])
    expect(yAxis).toMatchObject({ min: 1e9, max: 2 * 989.4e12 })
    expect(rooflineOption(roofs, []).yAxis).toMatchObject({ min: 1e11 })
  })

  test('a tooltip is HTML: a name in it is text', () => {
    const label = `<img src=x onerror="alert('1')"> & more`
    const option = rooflineOption([h100], [{ ...point, label }])
    const series = [option.series].flat().find(one => one?.name === 'Simulated')
    const formatter = [series?.tooltip].flat()[0]?.formatter as (parameters: unknown) => string
    const html = formatter({ dataIndex: 0 })
    expect(html).toContain('900 TFLOPS at 2,048 FLOP/B')
    const element = document.createElement('div')
    element.innerHTML = html
    expect(element.children).toHaveLength(0)
    expect(element.textContent).toContain(label)
  })

  test('measured and interpolated points are series of their own', () => {
    const measured = { ...point, label: 'GH200, measured', origin: 'measured' as const }
    const interpolated = { ...point, label: 'GH200, interpolated', origin: 'interpolated' as const }
    const option = rooflineOption([h100], [interpolated, point, measured])
    expect(chartData(option).map(({ name }) => name)).toEqual([
      'H100',
      'Simulated',
      'Measured',
      'Interpolated',
    ])
  })

  test('what has no place on a logarithmic axis is left out', () => {
    const option = rooflineOption([h100], [{ ...point, arithmeticIntensity: 0 }])
    expect(chartData(option).map(({ name }) => name)).toEqual(['H100'])
  })
})
