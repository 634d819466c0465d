import type { RunView } from '#renderer/results/run-view.ts'
import type { ResultWarning } from '#shared/results/warning.ts'

export interface SharedWarning extends ResultWarning {
  /** The runs that carry this very warning. */
  readonly labels: readonly string[]
}

/** Warnings of several runs, each text once. */
export function groupWarnings(
  warnings: readonly { readonly warning: ResultWarning; readonly label: string }[],
): SharedWarning[] {
  const found = new Map<string, SharedWarning>()
  for (const { warning, label } of warnings) {
    const key = JSON.stringify([warning.code, warning.message])
    const labels = [...(found.get(key)?.labels ?? []), label]
    found.set(key, { ...warning, labels })
  }
  return [...found.values()]
}

export const warningsOf = (runs: readonly RunView[]): SharedWarning[] =>
  groupWarnings(
    runs.flatMap(({ label, document }) => document.warnings.map(warning => ({ warning, label }))),
  )
