import recorded from '#resources/published/reference-simulator-wall-time.json' with { type: 'json' }
import { dataflows } from '#shared/mapping/dataflow.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { meshOf, publishedInput } from '#shared/validation/published-input.ts'
import { medianMs, type Measurement } from '#test/bench/measurement.ts'

/** How much sooner an estimate is there than the reference simulator's run of the same kernel. */
export const benchReference = (): Measurement[] =>
  recorded.rows.map(row => {
    const count = (column: string) => Number(row[recorded.columns.indexOf(column)])
    const dataflow = dataflows.find(id => id === row[0])
    if (dataflow === undefined) throw new Error(`unknown dataflow ${String(row[0])}`)
    const input = publishedInput({
      chip: meshOf(count('mesh'), count('channels')),
      dataflow,
      batch: 1,
      heads: count('jobs'),
      headDim: count('headDim'),
      queryLength: count('queryRows'),
      kvLength: count('kvLength'),
      mapping: {
        groupX: count('groupX'),
        groupY: count('groupY'),
        sliceRows: count('sliceRows'),
        sliceCols: count('sliceCols'),
      },
    })
    const seconds = medianMs(500, () => estimateAttention(input)) / 1000
    return {
      kind: 'measured',
      id: `reference-${dataflow}`,
      title:
        `reference simulator over one estimate, ${dataflow}, q ${String(count('queryRows'))}, ` +
        `kv ${String(count('kvLength'))}, ${String(count('jobs'))} heads (${String(count('wallSeconds'))} s)`,
      value: count('wallSeconds') / seconds,
      unit: 'x',
    }
  })
