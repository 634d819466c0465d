import attention from '#resources/published/reference-simulator-wall-time.json' with { type: 'json' }
import gemm from '#resources/published/reference-simulator-wall-time-gemm.json' with { type: 'json' }
import latent from '#resources/published/reference-simulator-wall-time-mla.json' with { type: 'json' }
import { dataflows, type Dataflow } from '#shared/mapping/dataflow.ts'
import { gemmInputSchema } from '#shared/schema/gemm-input.ts'
import { estimateGemm } from '#shared/simulate/run-gemm.ts'
import { meshOf, publishedInput } from '#shared/validation/published-input.ts'
import { elapsedMs, type Measurement } from '#test/bench/measurement.ts'
import { timedRun } from '#test/bench/timed-run.ts'

/** The cells of a row, by the names of their columns. */
const cellsOf = (columns: readonly string[], row: readonly (string | number)[]) => {
  const text = (column: string) => String(row[columns.indexOf(column)])
  return { text, count: (column: string) => Number(text(column)) }
}

type Cells = ReturnType<typeof cellsOf>

const pick = ({ count }: Cells, ...columns: readonly string[]) =>
  Object.fromEntries(columns.map(column => [column, count(column)]))

function dataflowOf({ text }: Cells): Dataflow {
  const dataflow = dataflows.find(id => id === text('dataflow'))
  if (dataflow === undefined) throw new Error(`unknown dataflow ${text('dataflow')}`)
  return dataflow
}

const chipOf = ({ count }: Cells) => meshOf(count('mesh'), count('channels'))

function ratio(kernel: string, { text, count }: Cells, seconds: number): Measurement {
  const [mesh, cycles, wall] = [text('mesh'), text('cycles'), text('wallSeconds')]
  return {
    kind: 'measured',
    id: `event-reference-${kernel}-${mesh}-${cycles}`,
    title:
      `reference simulator over event engine, ${kernel}, ${mesh} x ${mesh} tiles, ` +
      `${cycles} cycles (${wall} s)`,
    value: count('wallSeconds') / seconds,
    unit: 'x',
  }
}

function attentionRatio(cells: Cells): Measurement {
  const { text, count } = cells
  const input = publishedInput({
    chip: chipOf(cells),
    dataflow: dataflowOf(cells),
    batch: 1,
    heads: count('jobs'),
    headDim: count('headDim'),
    queryLength: count('queryRows'),
    kvLength: count('kvLength'),
    dtype: text('dtype') === 'fp8' ? 'fp8' : 'fp16',
    mapping: pick(cells, 'groupX', 'groupY', 'sliceRows', 'sliceCols'),
  })
  return ratio(input.dataflow, cells, timedRun(input).seconds)
}

/** Absorbed decode with the dimensions of DeepSeek-v3. */
function latentRatio(cells: Cells): Measurement {
  const { count } = cells
  const dataflow = dataflowOf(cells)
  const published = publishedInput({
    chip: { ...chipOf(cells), clockGHz: count('clockGHz') },
    dataflow,
    ...{ batch: count('batch'), heads: 128, headDim: 128, queryLength: 1 },
    kvLength: count('kvLength'),
    dtype: 'fp8',
    mapping: {
      ...{ sliceRows: 128, sliceCols: 128 },
      ...(dataflow === 'flash-mla' ? {} : pick(cells, 'groupX', 'groupY')),
    },
  })
  const speculativeLength = count('speculativeLength')
  const latentDecode = { variant: 'mla', phase: 'decode', kvHeads: 1, speculativeLength } as const
  const workload = { ...published.workload, ...latentDecode }
  return ratio(`${dataflow} of MLA`, cells, timedRun({ ...published, workload }).seconds)
}

function gemmRatio(cells: Cells): Measurement {
  const input = gemmInputSchema.parse({
    kind: 'gemm',
    engine: 'event',
    chip: chipOf(cells),
    workload: { ...pick(cells, 'm', 'n', 'k'), batch: 1, dtype: cells.text('dtype') },
    mapping: {
      ...pick(cells, 'tileM', 'tileN', 'tileK', 'groupX', 'groupY'),
      ...{ groups: 1, split: 'none' },
    },
  })
  const milliseconds = elapsedMs(() => {
    estimateGemm(input)
  })
  return ratio('SUMMA', cells, milliseconds / 1000)
}

/** How much sooner the event engine is through than the reference simulator was. */
export const benchEventReference = (): Measurement[] => [
  ...attention.rows.map(row => attentionRatio(cellsOf(attention.columns, row))),
  ...latent.rows.map(row => latentRatio(cellsOf(latent.columns, row))),
  ...gemm.rows.map(row => gemmRatio(cellsOf(gemm.columns, row))),
]
