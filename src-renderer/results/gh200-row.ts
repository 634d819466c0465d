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

/** Useful throughput over that of a GH200, where it is known for the shape of one of the runs. */
export function gh200Rows(runs: readonly RunView[]): TableRow[] {
  if (runs.every(run => baselineOf(run).kind === 'none')) return []
  return [{ id: 'gh200', label: LABEL, better: 'higher', cell: gh200Cell }]
}

function gh200Cell(run: RunView): TableCell {
  const known = baselineOf(run)
  if (known.kind === 'none') {
    return { text: NOT_AVAILABLE, value: undefined, explanation: undefined }
  }
  const measured = known.tflops * 1e12
  const throughput = achievedFlopsPerSecond(run.document.result)
  const value = throughput / measured
  return {
    text: `${formatRatio(value)} (${known.kind})`,
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
