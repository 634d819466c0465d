import { describe, expect, test } from 'vitest'
import { chartTable } from '#renderer/charts/chart-table.ts'
import { studyOption, type StudyChart } from '#renderer/charts/study-option.ts'
import { utilizationOption } from '#renderer/charts/utilization-option.ts'
import { parityOption, residualOption } from '#renderer/charts/validation-option.ts'
import { formatSeconds } from '#shared/units/format.ts'

const chart: StudyChart = {
  ...{ id: 'time', title: 'Time', note: '', xName: 'Group (tiles)', xLabels: ['4 × 4', '8 × 8'] },
  ...{ yName: 'Runtime', format: value => formatSeconds(value, 3), isLog: true },
  series: [
    { name: 'S 512', kind: 'line', look: 0, values: [0.002, 0.05] },
    { name: 'S 512, published', kind: 'published', look: 0, values: [0.0021, null] },
    { name: 'Limit', kind: 'limit', look: 0, values: [0.01, 0.01] },
  ],
}
const points = [
  { name: 'fa2, S 512', predicted: 110, published: 100, unit: 'µs', error: 0.1 },
  { name: 'fa3 <b>', predicted: 1900, published: 2000, unit: 'µs', error: -0.05 },
]

describe('the numbers of a chart as a table', () => {
  test('bars: a row for each category, a column for each series', () => {
    const bar = { label: 'FA-2', matrixUtilization: 0.254, hbmBandwidthUtilization: 0.85 }
    expect(chartTable(utilizationOption([bar]))).toEqual({
      columns: ['', 'Matrix engines', 'HBM bandwidth'],
      rows: [['FA-2', '0.254', '0.85']],
    })
  })

  test('lines over categories have units, and nothing where there is no value', () => {
    expect(chartTable(studyOption(chart, true))).toEqual({
      columns: ['Group (tiles)', 'S 512', 'S 512, published', 'Limit'],
      rows: [
        ['4 × 4', '2 ms', '2.1 ms', '10 ms'],
        ['8 × 8', '50 ms', '', '10 ms'],
      ],
    })
  })

  test('points: a row for each, with the names of both axes', () => {
    const { columns, rows } = chartTable(residualOption(points, 0.2))
    expect(columns).toEqual(['Series', 'Published (µs)', 'Error'])
    expect(rows.slice(0, 2)).toEqual([
      ['Published numbers', '100', '0.1'],
      ['Published numbers', '2,000', '-0.05'],
    ])
  })
})

describe('a study', () => {
  test('has whole decades on a logarithmic axis, and starts at 0 on a linear one', () => {
    expect(studyOption(chart, true).yAxis).toMatchObject({ type: 'log', min: 0.001, max: 0.1 })
    expect(studyOption(chart, false).yAxis).toMatchObject({ type: 'value', min: 0 })
  })

  test('draws published numbers as hollow marks in the colour of their line', () => {
    const [line, published] = [studyOption(chart, true).series ?? []].flat()
    expect(published).toMatchObject({
      type: 'scatter',
      itemStyle: { color: 'transparent', borderColor: line?.itemStyle?.color },
    })
  })
})

describe('predicted against published', () => {
  test('parity has one scale for both axes, and both axes their unit', () => {
    const { xAxis, yAxis } = parityOption(points)
    expect(xAxis).toMatchObject({ type: 'log', min: 100, max: 10_000, name: 'Published (µs)' })
    expect(yAxis).toMatchObject({ type: 'log', min: 100, max: 10_000, name: 'Predicted (µs)' })
  })

  test('residuals are between the lines of the largest that is allowed', () => {
    const option = residualOption(points, 0.2)
    expect(option.yAxis).toMatchObject({ min: -0.2, max: 0.2 })
    expect([option.series ?? []].flat().map(({ name }) => name)).toEqual([
      'Published numbers',
      'Largest allowed',
      'Largest allowed',
    ])
  })

  test('a set that must be exact has no such lines, and an axis all the same', () => {
    const exact = points.map(point => ({ ...point, predicted: point.published, error: 0 }))
    const option = residualOption(exact, 0)
    expect([option.series ?? []].flat()).toHaveLength(1)
    expect(option.yAxis).toMatchObject({ min: -0.001, max: 0.001 })
  })

  test('the tip is HTML in which a name is text', () => {
    const [series] = [residualOption(points, 0.2).series ?? []].flat()
    const formatter = [series?.tooltip].flat()[0]?.formatter as (parameters: unknown) => string
    expect(formatter({ dataIndex: 1 })).toBe(
      'fa3 &#60;b&#62;<br>Predicted 1,900 µs<br>Published 2,000 µs<br>Error -5.0 %',
    )
  })
})
