import type { Explanation } from '#shared/results/explanation.ts'
import { formatQuantity } from '#shared/units/format.ts'

/**
 * A formula with the values of its terms in place of their symbols.
 *
 * @returns undefined where no symbol of a term occurs in it
 */
export function filledFormula({ formula, terms }: Explanation): string | undefined {
  const values = new Map(
    terms.map(({ symbol, value, unit }) => [symbol, formatQuantity(value, unit, 6)]),
  )
  const symbols = [...values.keys()].filter(symbol => symbol !== '')
  if (symbols.length === 0) return undefined
  const pattern = symbols
    .toSorted((a, b) => b.length - a.length)
    .map(symbol => symbol.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'))
    .join('|')
  const wholeSymbol = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${pattern})(?![\\p{L}\\p{N}_])`, 'gu')
  const filled = formula.replace(wholeSymbol, symbol => values.get(symbol) ?? symbol)
  return filled === formula ? undefined : filled
}
