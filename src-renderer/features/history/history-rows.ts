import type { ExperimentSummary } from '#shared/ipc/contract.ts'
import type { RunStatus } from '#shared/ipc/job-event.ts'
import { dataflowDescriptions } from '#shared/mapping/dataflow.ts'

/** Of a deployment its kernel of attention. */
type RunDataflow = ExperimentSummary['runs'][number]['dataflow']

export interface HistoryRow {
  readonly kind: ExperimentSummary['kind']
  readonly id: number
  readonly name: string
  readonly chipName: string
  readonly workloadName: string
  readonly dataflows: readonly RunDataflow[]
  /** Shortest runtime of its runs, of a deployment its TPOT; undefined while none is done. */
  readonly bestSeconds: number | undefined
  readonly bestDataflow: RunDataflow | undefined
  readonly status: RunStatus
  readonly tags: readonly string[]
  readonly note: string
  readonly createdAtMs: number
}

export type SortKey =
  'name' | 'chipName' | 'workloadName' | 'bestSeconds' | 'status' | 'createdAtMs'

export interface Sorting {
  readonly key: SortKey
  readonly direction: 'ascending' | 'descending'
}

/** What tells most about the runs together: what is going on, else what went wrong. */
const statusOrder: readonly RunStatus[] = [
  'running',
  'queued',
  'crashed',
  'failed',
  'cancelled',
  'done',
]

export function historyRow(summary: ExperimentSummary): HistoryRow {
  const { id, kind, name, chipName, workloadName, tags, note, createdAtMs, runs } = summary
  const [best] = runs
    .flatMap(({ seconds, dataflow }) => (seconds === null ? [] : [{ seconds, dataflow }]))
    .toSorted((a, b) => a.seconds - b.seconds)
  return {
    id,
    kind,
    name,
    chipName,
    workloadName,
    tags,
    note,
    createdAtMs,
    dataflows: runs.map(run => run.dataflow),
    bestSeconds: best?.seconds,
    bestDataflow: best?.dataflow,
    status: statusOrder.find(status => runs.some(run => run.status === status)) ?? 'done',
  }
}

/** The rows that contain every word of a search, in any of their texts. */
export function filterRows(rows: readonly HistoryRow[], search: string): readonly HistoryRow[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  if (words.length === 0) return rows
  return rows.filter(row => {
    const text = searchText(row)
    return words.every(word => text.includes(word))
  })
}

const searchText = (row: HistoryRow): string =>
  [
    row.name,
    row.chipName,
    row.workloadName,
    row.status,
    row.note,
    ...row.tags,
    row.kind === 'decode' ? 'deployment decode' : 'kernel attention',
    ...row.dataflows.flatMap(dataflow => [dataflow, labelOf(dataflow)]),
  ]
    .join('\n')
    .toLowerCase()

/** Sorted by one column; rows without a value come last either way. */
export function sortRows(rows: readonly HistoryRow[], { key, direction }: Sorting): HistoryRow[] {
  const sign = direction === 'ascending' ? 1 : -1
  return rows.toSorted((a, b) => {
    const [left, right] = [a[key], b[key]]
    if (left === undefined || right === undefined) {
      return Number(left === undefined) - Number(right === undefined)
    }
    const order =
      typeof left === 'string'
        ? left.localeCompare(String(right), undefined, { numeric: true })
        : left - Number(right)
    return sign * order || b.id - a.id
  })
}

const labelOf = (dataflow: RunDataflow): string =>
  dataflow in dataflowDescriptions
    ? dataflowDescriptions[dataflow as keyof typeof dataflowDescriptions].label
    : dataflow
