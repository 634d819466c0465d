import { meanOf, type ValidationRow } from '#shared/validation/validation-set.ts'

/** Rows of a set that have one thing in common, and how far off they are. */
export interface RegimeError {
  readonly regime: string
  readonly count: number
  readonly meanAbsoluteError: number
  /** Mean of the errors with their sign: above 0 where the model says too much. */
  readonly bias: number
  readonly largestError: number
}

/** Fewer values say nothing, more of them are no regimes but points. */
const MOST_REGIMES = 12

/**
 * The errors of a set, split by each part of the rows' names that tells some of them apart:
 * 'fa2, D 128, S 4096' is a row of the regimes 'fa2', 'D 128' and 'S 4096'.
 *
 * Parts count by their place between commas; a place whose values differ from row to row, or are the
 * same in all, splits nothing. Sets whose rows have different numbers of parts are not split.
 *
 * @returns the splits in the order of the places, each with its regimes in the order of the rows
 */
export function errorByRegime(rows: readonly ValidationRow[]): RegimeError[][] {
  const names = rows.map(({ name }) => name.split(', '))
  const places = names[0]?.length ?? 0
  if (places < 2 || names.some(parts => parts.length !== places)) return []
  return Array.from({ length: places }, (_, place) => {
    const groups = new Map<string, ValidationRow[]>()
    for (const row of rows) {
      const regime = row.name.split(', ')[place] ?? ''
      groups.set(regime, [...(groups.get(regime) ?? []), row])
    }
    const isSplit = groups.size > 1 && groups.size <= MOST_REGIMES && groups.size < rows.length
    return isSplit ? [...groups].map(([regime, members]) => regimeError(regime, members)) : []
  }).filter(regimes => regimes.length > 0)
}

function regimeError(regime: string, rows: readonly ValidationRow[]): RegimeError {
  const errors = rows.map(({ error }) => error)
  const sizes = errors.map(Math.abs)
  return {
    regime,
    count: rows.length,
    meanAbsoluteError: meanOf(sizes),
    bias: meanOf(errors),
    largestError: Math.max(...sizes),
  }
}
