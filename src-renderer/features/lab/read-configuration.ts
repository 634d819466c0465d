import { messageOf } from '#renderer/api/reply.ts'
import type { PartConfig } from '#renderer/state/lab-draft.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import { issueLines } from '#shared/schema/issue-text.ts'
import { workloadSchema } from '#shared/schema/workload.ts'

export type ReadOutcome =
  | { readonly kind: 'read'; readonly config: PartConfig }
  | { readonly kind: 'refused'; readonly problems: readonly string[] }

const SHOWN_PROBLEMS = 12

/** Reads a chip or a workload from the text of a JSON file; each problem names its field. */
export function readConfiguration(part: 'chip' | 'workload', text: string): ReadOutcome {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return refused([`This is no JSON: ${messageOf(error)}`])
  }
  const schema = part === 'chip' ? chipSchema : workloadSchema
  const parsed = schema.safeParse(value)
  if (parsed.success) return { kind: 'read', config: parsed.data }
  return refused(issueLines(parsed.error, value, { root: part, schema }))
}

function refused(problems: readonly string[]): ReadOutcome {
  const rest = problems.length - SHOWN_PROBLEMS
  const shown = problems.slice(0, SHOWN_PROBLEMS)
  return {
    kind: 'refused',
    problems: rest > 0 ? [...shown, `and ${String(rest)} more problems`] : shown,
  }
}
