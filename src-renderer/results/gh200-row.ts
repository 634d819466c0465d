import type { RunView } from '#renderer/results/run-view.ts'
import type { TableCell, TableRow } from '#renderer/results/table-rows.ts'
import {
  gh200Baseline,
  gh200Origin,
  gh200Shape,
  type Gh200Baseline,
} from '#shared/baselines/gh200.ts'
import { achievedFlopsPerSecond } from '#shared/results/metric.ts'
import { resolveWorkload } from '#shared/schema/workload.ts'
import { NOT_AVAILABLE, formatRatio } from '#shared/units/format.ts'

const LABEL = 'Throughput over GH200'

const baselineOf = ({ document }: RunView): Gh200Baseline =>
  gh200Baseline(resolveWorkload(document.input.workload))

/**
 * Useful throughput over that of a GH200, where it is known for the shape of one of the runs. How it
 * is known stands in the label, or in each cell where the runs differ in it.
 */
export function gh200Rows(runs: readonly RunView[]): TableRow[] {
  const kinds = new Set(runs.map(run => baselineOf(run).kind).filter(kind => kind !== 'none'))
  const [kind] = kinds
  if (kind === undefined) return []
  const isCommon = kinds.size === 1
  return [
    {
      id: 'gh200',
      label: isCommon ? `${LABEL}, ${kind}` : LABEL,
      better: 'higher',
      cell: run => gh200Cell(run, isCommon),
    },
  ]
}

function gh200Cell(run: RunView, isCommon: boolean): TableCell {
  const known = baselineOf(run)
  if (known.kind === 'none') {
    return { text: NOT_AVAILABLE, value: undefined, explanation: undefined }
  }
  const measured = known.tflops * 1e12
  const throughput = achievedFlopsPerSecond(run.document.result)
  const value = throughput / measured
  return {
    text: isCommon ? formatRatio(value) : `${formatRatio(value)} (${known.kind})`,
    value,
    explanation: {
      field: 'gh200',
      label: `${LABEL}, ${known.kind}`,
      value,
      unit: '×',
      formula: 'P / P_GH200',
      terms: [
        {
          symbol: 'P',
          name: 'useful throughput of this run',
          value: throughput,
          unit: 'FLOP/s',
          source: 'result.usefulFlops / result.seconds',
        },
        {
          symbol: 'P_GH200',
          name: `${known.series.kernel} on a GH200, ${gh200Shape(known)}`,
          value: measured,
          unit: 'FLOP/s',
          source: gh200Origin(known),
        },
      ],
      source: known.series.source,
    },
  }
}
