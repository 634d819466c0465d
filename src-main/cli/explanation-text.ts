import { indented, textTable } from '#main/cli/text-table.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import { formatQuantity } from '#shared/units/format.ts'

/** How each number came about: formula, values, sources. */
export function explanationText(explanation: readonly Explanation[]): string {
  return explanation
    .map(({ label, field, value, unit, formula, terms, source }) => {
      const termRows = terms.map(term => [
        term.symbol,
        formatQuantity(term.value, term.unit),
        term.name,
        `[${term.source}]`,
      ])
      const body = [formula, textTable(termRows), `Source: ${source}`]
      const text = body.filter(line => line !== '').join('\n')
      return `${label} (${field}): ${formatQuantity(value, unit)}\n${indented(text)}`
    })
    .join('\n\n')
}
