import { indented, textTable } from '#main/cli/text-table.ts'
import { formatCount, formatNumber, formatPercent } from '#shared/units/format.ts'
import type { Validation } from '#shared/validation/validate.ts'
import type { ValidationRow, ValidationSet } from '#shared/validation/validation-set.ts'

/** Every set with its rows, then one line for each set. */
export function validationText({ modelVersion, sets }: Validation): string {
  const details = sets.map(setText)
  return [...details, `Model ${modelVersion}\n\n${summaryText(sets)}`].join('\n\n')
}

function setText(set: ValidationSet): string {
  const hasSpread = set.rows.some(row => row.spread !== undefined)
  const head = ['', 'PREDICTED', 'PUBLISHED', 'UNIT', 'ERROR', ...(hasSpread ? ['SPREAD'] : [])]
  const rows = set.rows.map(row => [...rowCells(row), ...(hasSpread ? [spreadText(row)] : [])])
  const table = textTable([head, ...rows], ['left', 'right', 'right', 'left', 'right', 'left'])
  return `${set.title} (${set.id})\nSource: ${set.source}\n${indented(table)}`
}

const rowCells = ({ name, predicted, published, unit, error }: ValidationRow): string[] => [
  name,
  formatNumber(predicted, 5),
  formatNumber(published, 5),
  unit === '1' ? '' : unit,
  signedPercent(error),
]

function spreadText({ spread }: ValidationRow): string {
  if (spread === undefined) return ''
  const { count, minimum, maximum, standardDeviation } = spread
  return (
    `${formatNumber(minimum)} to ${formatNumber(maximum)}, ` +
    `standard deviation ${formatNumber(standardDeviation)}, ${formatCount(count, 'points')}`
  )
}

const signedPercent = (fraction: number): string =>
  `${fraction > 0 ? '+' : ''}${formatPercent(fraction)}`

/** One line for each set: how far off it is, and how far it may be. */
export function summaryText(sets: readonly ValidationSet[]): string {
  const rows = sets.map(({ id, rows, meanAbsoluteError, largestError, target, passed }) => [
    id,
    String(rows.length),
    formatPercent(meanAbsoluteError),
    formatPercent(target.meanAbsoluteError),
    formatPercent(largestError),
    formatPercent(target.largestError),
    passed ? 'met' : 'MISSED',
  ])
  const head = ['SET', 'ROWS', 'MEAN ERROR', 'AT MOST', 'LARGEST', 'AT MOST', 'TARGET']
  const right = 'right' as const
  return textTable([head, ...rows], ['left', right, right, right, right, right])
}
