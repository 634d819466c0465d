import { binaryTicks } from '#renderer/charts/chart-option.ts'
import type { StudyChart, StudySeries } from '#renderer/charts/study-option.ts'
import type { SlicePoint } from '#shared/results/study-result.ts'
import { formatBytes, formatPercent } from '#shared/units/format.ts'

/** How busy the matrix engine is with a slice, and what the slice takes of L1. */
export function sliceCharts(points: readonly SlicePoint[], capacityBytes: number): StudyChart[] {
  const slices = [...new Set(points.map(({ slice }) => slice))]
  const dimensions = [...new Set(points.map(({ headDim }) => headDim))]
  const axis = { xName: 'Slice (rows = columns)', xLabels: slices.map(String) }
  const lines = (
    kind: StudySeries['kind'],
    suffix: string,
    value: (point: SlicePoint) => number | null,
  ): StudySeries[] =>
    dimensions
      .map((headDim, look) => ({
        ...{ name: `D ${String(headDim)}${suffix}`, kind, look },
        values: slices.map(slice => {
          const point = points.find(one => one.headDim === headDim && one.slice === slice)
          return point === undefined ? null : value(point)
        }),
      }))
      .filter(({ values }) => values.some(one => one !== null))
  const limit = (name: string, value: number): StudySeries => ({
    ...{ name, kind: 'limit', look: 0 },
    values: slices.map(() => value),
  })
  return [
    {
      ...axis,
      id: 'slice-utilization',
      title: 'Matrix utilisation over the slice',
      note: 'Q·Kᵀ and P·V of one slice, of the matrix engine alone: the time of a perfect array over that of this one.',
      yName: 'Matrix utilisation',
      format: value => formatPercent(value, 0),
      isLog: false,
      linear: { max: 1 },
      series: [
        ...lines('line', '', point => point.matrixUtilization),
        limit('95 %, asked for by the tiling rule', 0.95),
      ],
    },
    {
      ...axis,
      id: 'slice-l1',
      title: 'L1 over the slice',
      note: 'Two sets of Q, O, K, V, scores and softmax state, FP16, as FlatAsync keeps them.',
      yName: 'L1 of a tile',
      format: value => formatBytes(value, 3),
      isLog: false,
      linear: binaryTicks(Math.max(capacityBytes, ...points.map(({ l1Bytes }) => l1Bytes))),
      series: [
        ...lines('line', '', point => point.l1Bytes),
        ...lines('published', ', published', point => point.publishedBytes),
        limit('Capacity', capacityBytes),
      ],
    },
  ]
}
