import { UsageError } from '#main/cli/usage-error.ts'

/**
 * The value of a JSON text.
 *
 * @param source where the text comes from, for the message
 * @throws UsageError with line and column (both from 1) of the first character that cannot be
 */
export function parseJson(text: string, source: string): unknown {
  const complaint = complaintAbout(text)
  if (complaint === undefined) return JSON.parse(text) as unknown
  const offset = complaint.offset ?? firstWrongOffset(text)
  const before = text.slice(0, offset).split('\n')
  const line = before.length
  const column = (before.at(-1) ?? '').length + 1
  const what =
    offset >= text.trimEnd().length
      ? `the JSON text ends too early, it may be truncated (${complaint.message})`
      : complaint.message
  throw new UsageError(`${source}: line ${String(line)}, column ${String(column)}: ${what}`)
}

interface Complaint {
  readonly message: string
  /** Where the parser says the mistake is, if it says so. */
  readonly offset: number | undefined
}

function complaintAbout(text: string): Complaint | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const raw = error instanceof Error ? error.message : String(error)
    const position = /at position (\d+)/.exec(raw)?.[1]
    if (position !== undefined) {
      return { message: raw.replace(/ in JSON at position.*$/, ''), offset: Number(position) }
    }
    if (raw.startsWith('Unexpected end')) return { message: raw, offset: text.length }
    return { message: raw.replace(/, .* is not valid JSON$/s, ''), offset: undefined }
  }
}

/** The parser is silent about the place of a wrong token: it follows the longest sound beginning. */
function firstWrongOffset(text: string): number {
  let sound = 0
  let wrong = text.length
  while (wrong - sound > 1) {
    const middle = Math.floor((sound + wrong) / 2)
    const offset = complaintAbout(text.slice(0, middle))?.offset
    const complete = complaintAbout(text.slice(0, middle)) === undefined
    if (complete || (offset !== undefined && offset >= middle)) sound = middle
    else wrong = middle
  }
  return sound
}
