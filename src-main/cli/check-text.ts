import { kernelHeading } from '#main/cli/attention-text.ts'
import { indented, textTable } from '#main/cli/text-table.ts'
import { warningsSection } from '#main/cli/warnings-text.ts'
import type { CheckResult } from '#shared/results/check-result.ts'
import type { CheckDocument } from '#shared/schema/check-input.ts'
import { formatCount, formatFlops, formatNumber } from '#shared/units/format.ts'

const precisionNames = {
  fp64: 'double precision',
  fp16: 'FP16 after each operation',
  fp8: 'FP8 E4M3 operands and exponentials, FP16 between',
} as const

/** A check for people: whether it passed, the deviations, and what went wrong. */
export function checkText({ input, result, warnings }: CheckDocument): string {
  const rows = [
    ['Check', result.passed ? 'passed' : 'NOT PASSED', precisionNames[result.precision]],
    ...deviations(result),
    ['Rows of O', formatNumber(result.rowsChecked), 'all of them compared'],
    [
      'Executed',
      formatFlops(result.executedFlops),
      `on ${formatCount(result.tiles, 'tiles')}, loaders: ${input.loaders}`,
    ],
  ]
  const sections = [kernelHeading(input), textTable(rows)]
  const faults = faultLines(result)
  if (faults.length > 0) sections.push(`Faults\n${indented(faults.join('\n'))}`)
  sections.push(...warningsSection(warnings))
  return sections.join('\n\n')
}

function deviations(result: CheckResult): string[][] {
  const { largestAt, boundOn, bound } = result
  const scientific = (value: number) => (value === 0 ? '0' : value.toExponential(2))
  const limit = (field: CheckResult['boundOn']) =>
    field === boundOn ? `at most ${scientific(bound)} is allowed` : ''
  const rows = [
    ['Largest deviation', scientific(result.largestAbsolute), limit('largestAbsolute')],
    [
      '  of its row of O',
      scientific(result.largestRelative),
      limit('largestRelative') || 'relative to the largest magnitude in the row',
    ],
  ]
  if (largestAt !== null) {
    const { sequence, head, position, element, computed, exact } = largestAt
    rows.push([
      '  at',
      `${scientific(computed)} for ${scientific(exact)}`,
      `sequence ${String(sequence)}, head ${String(head)}, query ${String(position)}, element ${String(element)}, each from 0`,
    ])
  }
  return rows
}

function faultLines(result: CheckResult): string[] {
  const counted: [number, string][] = [
    [result.rowsNotStored, 'rows of O were never stored'],
    [result.rowsStoredAgain, 'rows of O were stored more than once'],
    [result.rowsNotComputed, 'rows of O hold something that is no number'],
    [result.hazards, 'operations used data that were not there, or that others changed'],
  ]
  return [
    ...counted
      .filter(([count]) => count > 0)
      .map(([count, what]) => `${formatNumber(count)} ${what}`),
    ...result.firstHazards,
  ]
}
