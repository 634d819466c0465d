const PLAIN_NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/**
 * Reads a plain number such as 384, 0.965 or 1e3.
 *
 * @returns undefined for an empty text, NaN for a text that is no number
 */
export function parseNumber(text: string): number | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return PLAIN_NUMBER.test(trimmed) ? Number(trimmed) : Number.NaN
}
