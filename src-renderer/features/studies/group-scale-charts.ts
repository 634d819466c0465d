import type { StudyChart } from '#renderer/charts/study-option.ts'
import type { GroupPoint } from '#shared/results/study-result.ts'
import { formatPercent, formatSeconds } from '#shared/units/format.ts'

export const lengthsOf = (points: readonly GroupPoint[]): number[] => [
  ...new Set(points.map(({ length }) => length)),
]
export const sideName = (group: number): string => `${String(group)} × ${String(group)}`

/** Runtime of each length over the group, and how busy the matrix engine is at one of them. */
export function groupScaleCharts(points: readonly GroupPoint[], length: number): StudyChart[] {
  const groups = [...new Set(points.map(({ group }) => group))]
  const across = (
    at: number,
    value: (point: GroupPoint) => number | null,
  ): readonly (number | null)[] =>
    groups.map(group => {
      const point = points.find(one => one.length === at && one.group === group)
      return point === undefined ? null : value(point)
    })
  const axis = { xName: 'Group (tiles)', xLabels: groups.map(sideName) }
  const hasPublished = (at: number): boolean =>
    points.some(point => point.length === at && point.publishedSeconds !== null)
  return [
    {
      ...axis,
      id: 'group-runtime',
      title: 'Runtime over the group',
      note: 'Left of the lowest point K and V are loaded too often; right of it the slices of the tiles become too thin.',
      yName: 'Runtime',
      format: value => formatSeconds(value, 3),
      isLog: true,
      series: lengthsOf(points).flatMap((at, look) => [
        {
          name: `S ${String(at)}`,
          kind: 'line' as const,
          look,
          values: across(at, point => point.seconds),
        },
        ...(hasPublished(at)
          ? [
              {
                name: `S ${String(at)}, published`,
                kind: 'published' as const,
                look,
                values: across(at, point => point.publishedSeconds),
              },
            ]
          : []),
      ]),
    },
    {
      ...axis,
      id: 'group-utilization',
      title: `Matrix utilisation at S ${String(length)}`,
      note: 'While active: of the time in which the matrix engines work at all.',
      yName: 'Matrix utilisation',
      format: value => formatPercent(value, 0),
      isLog: false,
      linear: { max: 1 },
      series: [
        {
          name: 'Of the runtime',
          kind: 'line',
          look: 0,
          values: across(length, point => point.matrixUtilization),
        },
        {
          name: 'While active',
          kind: 'line',
          look: 1,
          values: across(length, point => point.matrixActiveUtilization),
        },
        ...(hasPublished(length)
          ? [
              {
                name: 'While active, published',
                kind: 'published' as const,
                look: 1,
                values: across(length, point => point.publishedActiveUtilization),
              },
            ]
          : []),
      ],
    },
  ]
}
