import type { RunView } from '#renderer/results/run-view.ts'

/** As many columns as an A4 page can bear. */
const COLUMNS = 6

/** Runs in groups that fit the width of a page; every group but the first repeats the baseline. */
export function reportTables(runs: readonly RunView[]): (readonly RunView[])[] {
  const [baseline, ...others] = runs
  if (baseline === undefined) return []
  const tables: RunView[][] = []
  for (let start = 0; start < Math.max(1, others.length); start += COLUMNS - 1) {
    tables.push([baseline, ...others.slice(start, start + COLUMNS - 1)])
  }
  return tables
}
