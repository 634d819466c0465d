import type { StudyChart, StudySeries } from '#renderer/charts/study-option.ts'
import type { CollectivePoint } from '#shared/results/study-result.ts'
import { formatBytes, formatRatio, formatSeconds } from '#shared/units/format.ts'

export const implementationLabels: Readonly<Record<CollectivePoint['implementation'], string>> = {
  hw: 'Hardware',
  'sw-tree': 'Software tree',
  'sw-seq': 'One after another',
}
export const operationLabels: Readonly<Record<CollectivePoint['operation'], string>> = {
  multicast: 'Multicast',
  sum: 'Sum reduction',
}
const implementations = ['hw', 'sw-tree', 'sw-seq'] as const

/** Time of one operation over the size, and how many times that of the hardware it is. */
export function collectivesCharts(
  all: readonly CollectivePoint[],
  operation: CollectivePoint['operation'],
): StudyChart[] {
  const points = all.filter(point => point.operation === operation)
  const sizes = [...new Set(points.map(({ bytes }) => bytes))]
  const axis = {
    xName: 'Size of the message',
    xLabels: sizes.map(bytes => formatBytes(bytes)),
    isLog: true,
  }
  const lines = (
    kind: StudySeries['kind'],
    suffix: string,
    value: (point: CollectivePoint) => number | null,
  ): StudySeries[] =>
    implementations.map((implementation, look) => ({
      ...{ name: `${implementationLabels[implementation]}${suffix}`, kind, look },
      values: sizes.map(bytes => {
        const point = points.find(
          one => one.implementation === implementation && one.bytes === bytes,
        )
        return point === undefined ? null : value(point)
      }),
    }))
  const label = operationLabels[operation]
  return [
    {
      ...axis,
      id: 'collective-time',
      title: `${label}: time over the size`,
      note: 'Along all rows of the mesh at once, with a barrier after each step of the software.',
      yName: 'Time',
      format: value => formatSeconds(value, 3),
      series: lines('line', '', point => point.seconds),
    },
    {
      ...axis,
      id: 'collective-ratio',
      title: `${label}: software over hardware`,
      note: 'How many times as long the same takes in software.',
      yName: 'Time over that of the hardware',
      format: formatRatio,
      series: [
        ...lines('line', '', point => point.overHardware),
        ...lines('published', ', published', point => point.publishedOverHardware).filter(
          ({ values }) => values.some(one => one !== null),
        ),
      ].filter(({ name }) => !name.startsWith(implementationLabels.hw)),
    },
  ]
}
