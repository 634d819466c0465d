import type { RunView } from '#renderer/results/run-view.ts'

/** As many columns as an A4 page can bear. */
const COLUMNS = 6

/** Runs in groups of about equal size that fit the width of a page, each with the baseline first. */
export function reportTables(runs: readonly RunView[]): (readonly RunView[])[] {
  const [baseline, ...others] = runs
  if (baseline === undefined) return []
  const count = Math.max(1, Math.ceil(others.length / (COLUMNS - 1)))
  const size = Math.ceil(others.length / count)
  return Array.from({ length: count }, (_, index) => [
    baseline,
    ...others.slice(index * size, (index + 1) * size),
  ])
}
