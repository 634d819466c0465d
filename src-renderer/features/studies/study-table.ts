import {
  implementationLabels,
  operationLabels,
} from '#renderer/features/studies/collectives-charts.ts'
import { sideName } from '#renderer/features/studies/group-scale-charts.ts'
import type { ChartTable } from '#renderer/charts/chart-table.ts'
import type { StudyResult } from '#shared/results/study-result.ts'
import { formatBytes, formatPercent, formatRatio, formatSeconds } from '#shared/units/format.ts'

/** Every point of a study as text, published numbers beside those of the model. */
export function studyTable(result: StudyResult): ChartTable {
  switch (result.study) {
    case 'group-scale':
      return {
        columns: [
          ...['Length and group', 'Slice', 'Runtime', 'Published', 'Error'],
          ...['Utilisation', 'While active', 'Active, published'],
        ],
        rows: result.points.map(point => [
          `S ${String(point.length)}, ${sideName(point.group)}`,
          `${String(point.sliceRows)} × ${String(point.sliceCols)}`,
          formatSeconds(point.seconds),
          orDash(point.publishedSeconds, value => formatSeconds(value)),
          errorText(point.seconds, point.publishedSeconds),
          formatPercent(point.matrixUtilization),
          formatPercent(point.matrixActiveUtilization),
          orDash(point.publishedActiveUtilization, value => formatPercent(value)),
        ]),
      }
    case 'slice':
      return {
        columns: ['Head dimension and slice', 'Matrix utilisation', 'L1', 'Published', 'Fits'],
        rows: result.points.map(point => [
          `D ${String(point.headDim)}, ${sideName(point.slice)}`,
          formatPercent(point.matrixUtilization),
          formatBytes(point.l1Bytes),
          orDash(point.publishedBytes, value => formatBytes(value)),
          point.fits ? '✓ fits' : '✕ too large',
        ]),
      }
    case 'collectives':
      return {
        columns: ['Operation and size', 'How', 'Time', 'Over hardware', 'Published', 'Error'],
        rows: result.points.map(point => [
          `${operationLabels[point.operation]}, ${formatBytes(point.bytes)}`,
          implementationLabels[point.implementation],
          formatSeconds(point.seconds),
          formatRatio(point.overHardware),
          orDash(point.publishedOverHardware, formatRatio),
          errorText(point.overHardware, point.publishedOverHardware),
        ]),
      }
  }
}

const orDash = (value: number | null, format: (value: number) => string): string =>
  value === null ? '–' : format(value)

function errorText(predicted: number, published: number | null): string {
  if (published === null) return '–'
  const error = predicted / published - 1
  return `${error > 0 ? '+' : ''}${formatPercent(error)}`
}
