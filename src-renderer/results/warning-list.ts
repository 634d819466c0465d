import type { RunView } from '#renderer/results/run-view.ts'

export interface RunWarning {
  readonly code: string
  readonly message: string
  /** The runs that carry this very warning. */
  readonly labels: readonly string[]
}

/** The warnings of all runs, each text once. */
export function warningsOf(runs: readonly RunView[]): RunWarning[] {
  const found = new Map<string, { code: string; message: string; labels: string[] }>()
  for (const { label, document } of runs) {
    for (const { code, message } of document.warnings) {
      const key = JSON.stringify([code, message])
      const entry = found.get(key) ?? { code, message, labels: [] }
      found.set(key, { ...entry, labels: [...entry.labels, label] })
    }
  }
  return [...found.values()]
}
