import { textTable } from '#main/cli/text-table.ts'
import type { ExperimentSummary } from '#shared/ipc/contract.ts'
import { formatPercent, formatSeconds } from '#shared/units/format.ts'

type RunSummary = ExperimentSummary['runs'][number]

/** The history as a table; of an experiment with several dataflows, the fastest. */
export function runsListText(summaries: readonly ExperimentSummary[]): string {
  const rows = summaries.map(({ id, createdAtMs, name, runs }) => [
    String(id),
    localTime(createdAtMs),
    ...runsCells(runs),
    name,
  ])
  const head = ['RUN', 'MADE', 'DATAFLOW', 'RUNTIME', 'MATRIX', 'NAME']
  return textTable([head, ...rows], ['right'])
}

function runsCells(runs: readonly RunSummary[]): [string, string, string] {
  const fastest = runs
    .filter(({ seconds }) => seconds !== null)
    .toSorted((a, b) => (a.seconds ?? 0) - (b.seconds ?? 0))
    .at(0)
  const [only] = runs.length === 1 ? runs : []
  const shown = fastest ?? only
  const statuses = [...new Set(runs.map(({ status }) => status))].join(', ')
  if (shown === undefined) {
    return [`${String(runs.length)} dataflows`, statuses, formatPercent(null)]
  }
  return [
    only === undefined ? `${shown.dataflow}, fastest of ${String(runs.length)}` : shown.dataflow,
    shown.seconds === null ? statuses : formatSeconds(shown.seconds),
    formatPercent(shown.matrixUtilization),
  ]
}

/** Local time to the minute, sortable. */
export function localTime(timestampMs: number): string {
  const time = new Date(timestampMs)
  const two = (value: number) => String(value).padStart(2, '0')
  const date = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(two).join('-')
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}`
}
