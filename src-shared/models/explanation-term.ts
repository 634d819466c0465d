import type { ExplanationTerm } from '#shared/results/explanation.ts'

/** A value of a formula with its unit and where it comes from. */
export const term = (
  symbol: string,
  name: string,
  value: number,
  unit: string,
  source: string,
): ExplanationTerm => ({ symbol, name, value, unit, source })
