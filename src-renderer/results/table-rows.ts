import { gh200Rows } from '#renderer/results/gh200-row.ts'
import type { RunView } from '#renderer/results/run-view.ts'
import {
  boundLabels,
  breakdownComponents,
  componentLabels,
  type MappingResult,
} from '#shared/results/attention-result.ts'
import { speedUp } from '#shared/results/compare.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import { explanationOf, metricById, type Metric } from '#shared/results/metric.ts'
import { formatQuantity, formatRatio, formatSeconds } from '#shared/units/format.ts'

export interface TableCell {
  readonly text: string
  /** What cells of a row are compared by; undefined for words. */
  readonly value: number | undefined
  readonly explanation: Explanation | undefined
}

export interface TableRow {
  readonly id: string
  readonly label: string
  readonly better: Metric['better']
  readonly metric?: Metric
  readonly cell: (run: RunView) => TableCell
}

export interface TableGroup {
  readonly title: string
  readonly rows: readonly TableRow[]
}

/** The table of results: what was achieved, where the time went, what moved, who computed what. */
export function tableGroups(runs: readonly RunView[], baseline: RunView | undefined): TableGroup[] {
  return [
    {
      title: 'Performance',
      rows: [
        metricRow('runtime'),
        ...(baseline === undefined ? [] : [speedUpRow(baseline)]),
        metricRow('cycles'),
        metricRow('matrix.utilization'),
        metricRow('matrix.active-utilization'),
        metricRow('throughput'),
        ...gh200Rows(runs),
        boundRow,
      ],
    },
    { title: 'Exposed time', rows: breakdownComponents.map(breakdownRow) },
    {
      title: 'Memory and NoC',
      rows: [
        metricRow('hbm.traffic'),
        metricRow('hbm.read'),
        metricRow('hbm.written'),
        metricRow('hbm.utilization'),
        metricRow('arithmetic-intensity'),
        metricRow('noc.traffic'),
        metricRow('l1.peak'),
      ],
    },
    { title: 'Work', rows: [metricRow('flops.useful'), metricRow('flops.executed')] },
    { title: 'Mapping', rows: mappingRows },
  ]
}

/** The keys of the runs whose value in a row is the best; none where all are equal. */
export function bestRuns(row: TableRow, runs: readonly RunView[]): ReadonlySet<string> {
  if (row.better === 'neither' || runs.length < 2) return new Set()
  const values = runs.map(run => row.cell(run).value)
  const numbers = values.filter((value): value is number => Number.isFinite(value))
  const best = row.better === 'lower' ? Math.min(...numbers) : Math.max(...numbers)
  const isBest = values.map(value => value === best)
  if (numbers.length === 0 || isBest.every(Boolean)) return new Set()
  return new Set(runs.filter((_, index) => isBest[index]).map(run => run.key))
}

function metricRow(id: string): TableRow {
  const metric = metricById(id)
  return {
    id,
    label: metric.label,
    better: metric.better,
    metric,
    cell: ({ document }) => {
      const value = metric.value(document.result)
      return {
        text: formatQuantity(value, metric.unit),
        value,
        explanation: explanationOf(metric, document.result, document.explanation),
      }
    },
  }
}

function speedUpRow(baseline: RunView): TableRow {
  return {
    id: 'speed-up',
    label: 'Speed-up over baseline',
    better: 'higher',
    cell: run => {
      const value = speedUp(baseline.document.result, run.document.result)
      return {
        text: formatRatio(value),
        value,
        explanation: speedUpExplanation(baseline, run, value),
      }
    },
  }
}

function speedUpExplanation(
  baseline: RunView,
  run: RunView,
  value: number | undefined,
): Explanation | undefined {
  if (value === undefined) return undefined
  const term = (symbol: string, name: string, of: RunView) => ({
    symbol,
    name,
    value: of.document.result.seconds,
    unit: 's',
    source: 'result.seconds',
  })
  return {
    field: 'speed-up',
    label: 'Speed-up over baseline',
    value,
    unit: '×',
    formula: 'T_baseline / T',
    terms: [
      term('T_baseline', `runtime of ${baseline.label}`, baseline),
      term('T', `runtime of ${run.label}`, run),
    ],
    source: 'Follows from the runtimes of the two runs.',
  }
}

const boundRow: TableRow = {
  id: 'bound',
  label: 'Bound by',
  better: 'neither',
  cell: ({ document }) => ({
    text: boundLabels[document.result.bound],
    value: undefined,
    explanation: explained(document.explanation, 'bound'),
  }),
}

function breakdownRow(component: (typeof breakdownComponents)[number]): TableRow {
  const field = `breakdown.${component}`
  return {
    id: field,
    label: componentLabels[component],
    better: 'neither',
    cell: ({ document }) => {
      const value = document.result.breakdown.find(part => part.component === component)?.seconds
      return {
        text: formatSeconds(value),
        value,
        explanation: explained(document.explanation, field),
      }
    },
  }
}

const mappingRow = (
  id: string,
  label: string,
  text: (mapping: MappingResult) => string,
  field: string,
): TableRow => ({
  id: `mapping.${id}`,
  label,
  better: 'neither',
  cell: ({ document }) => ({
    text: text(document.result.mapping),
    value: undefined,
    explanation: explained(document.explanation, field),
  }),
})

const mappingRows: readonly TableRow[] = [
  mappingRow(
    'group',
    'Group, columns × rows',
    ({ groupX, groupY }) => `${String(groupX)} × ${String(groupY)} tiles`,
    'mapping.groupX',
  ),
  mappingRow('groups', 'Groups', ({ groups }) => formatQuantity(groups, '1'), 'mapping.groups'),
  mappingRow(
    'slice',
    'Slice, rows × columns',
    ({ sliceRows, sliceCols }) => `${String(sliceRows)} × ${String(sliceCols)}`,
    'mapping.sliceRows',
  ),
  mappingRow(
    'block',
    'Block, rows × columns',
    ({ blockRows, blockCols }) => `${String(blockRows)} × ${String(blockCols)}`,
    'mapping.blockRows',
  ),
  mappingRow(
    'iterations',
    'Iterations, outer × inner',
    ({ outerIterations, innerIterations }) =>
      `${String(outerIterations)} × ${String(innerIterations)}`,
    'mapping.outerIterations',
  ),
  mappingRow(
    'async',
    'Two heads interleaved',
    ({ async }) => (async ? 'yes' : 'no'),
    'mapping.async',
  ),
]

const explained = (explanations: readonly Explanation[], field: string): Explanation | undefined =>
  explanations.find(explanation => explanation.field === field)
