import { indented } from '#main/cli/text-table.ts'
import type { ResultWarning } from '#shared/results/warning.ts'

/** The section of a result's warnings; no section where there are none. */
export function warningsSection(warnings: readonly ResultWarning[]): string[] {
  if (warnings.length === 0) return []
  const lines = warnings.map(({ code, message }) => `${code}: ${message}`)
  return [`Warnings\n${indented(lines.join('\n'))}`]
}
