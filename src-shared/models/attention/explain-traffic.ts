import type { Chip } from '#shared/hardware/chip.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { AttentionKernel } from '#shared/models/attention/attention-kernel.ts'
import { term } from '#shared/models/explanation-term.ts'
import { queryReads } from '#shared/models/attention/attention-traffic.ts'
import { dimensionSymbols } from '#shared/models/attention/dimension-terms.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { isDoubleBuffered, keepsMaximum } from '#shared/models/attention/l1-occupancy.ts'
import { chunkWidth, latentBuffers } from '#shared/models/attention/latent-occupancy.ts'
import type { Explanation, ExplanationTerm } from '#shared/results/explanation.ts'
import { elementBytes, headJobs, isAbsorbed, queryRows } from '#shared/workload/attention.ts'

const PAPER = 'arXiv 2604.02110'

/** Bytes moved between HBM and the tiles and over the links, and bytes kept in L1. */
export function explainTraffic(
  dataflow: Dataflow,
  kernel: AttentionKernel,
  chip: Chip,
): Explanation[] {
  return [
    ...explainMemory(dataflow, kernel),
    explainLinks(kernel),
    explainScratchpad(dataflow, kernel, chip),
  ]
}

function explainMemory(dataflow: Dataflow, { result, shape }: AttentionKernel): Explanation[] {
  const { workload } = shape
  const dimensions = dimensionSymbols(workload)
  const e = term('e', 'bytes of an element', elementBytes(workload.dtype), 'B', 'workload.dtype')
  const jobs = term(
    'jobs',
    'sequences · KV heads',
    headJobs(workload),
    '1',
    isAbsorbed(workload)
      ? 'workload.batch; all heads share one latent'
      : 'workload.batch · workload.kvHeads',
  )
  const q = term(
    'q',
    'query rows of a job',
    queryRows(workload),
    'rows',
    'queryLength · speculativeLength · heads / kvHeads',
  )
  const reads = isAbsorbed(workload) ? ' · n_Q' : ''
  const keyValue = `${dimensions.sum} · e · columns`
  return [
    {
      field: 'hbmReadBytes',
      label: 'HBM bytes read',
      value: result.hbmReadBytes,
      unit: 'B',
      formula:
        workload.kvLength > 0
          ? `R = e · ${isAbsorbed(workload) ? 'jobs · q' : 'rows'} · ${dimensions.score}${reads} + ${keyValue}`
          : `R = ${keyValue}; without keys Q is not read`,
      terms: [
        e,
        jobs,
        q,
        term(
          'rows',
          'query rows in row blocks that have keys',
          shape.busyRows,
          'rows',
          'jobs · q, less what the mask leaves without keys',
        ),
        ...dimensions.terms,
        ...(isAbsorbed(workload)
          ? [
              term(
                'n_Q',
                'times that Q is read',
                queryReads(dataflow, shape),
                '1',
                'chunks of Q are read for each column block, a whole Q by each tile that splits KV',
              ),
            ]
          : []),
        term(
          'columns',
          'KV columns read over all row blocks',
          shape.keyColumns,
          'columns',
          'jobs · ⌈q / (Gy · Br)⌉ · kv, less what the mask skips',
        ),
        term(
          'Gy · Br',
          'rows of a block',
          result.mapping.blockRows,
          'rows',
          'result.mapping.blockRows',
        ),
      ],
      source: isAbsorbed(workload)
        ? `${PAPER}, Section III-C; the latent is read twice, as K and as V`
        : `${PAPER}, Section III-C`,
    },
    {
      field: 'hbmWriteBytes',
      label: 'HBM bytes written',
      value: result.hbmWriteBytes,
      unit: 'B',
      formula: `W = e · jobs · q · ${dimensions.value}`,
      terms: [e, jobs, q, ...dimensions.terms],
      source: `${PAPER}, Section III-C`,
    },
  ]
}

const explainLinks = ({ result, shape, traffic }: AttentionKernel): Explanation => ({
  field: 'nocBytes',
  label: 'NoC link bytes',
  value: result.nocBytes,
  unit: 'B',
  formula: 'N = QO · h_r + KV · h_c + m · C_r + n · C_c',
  terms: [
    term('QO', 'Q and O', traffic.queryBytes + traffic.outputBytes, 'B', 'HBM traffic'),
    term('h_r', 'links from the edge, Q and O', traffic.rowHops, 'links', 'mean over the tiles'),
    term('KV', 'K and V', traffic.keyValueBytes, 'B', 'HBM traffic'),
    term('h_c', 'links from the edge, K and V', traffic.columnHops, 'links', 'mean over the tiles'),
    term('m', 'row blocks', shape.rowBlocks, '1', 'mapping'),
    term(
      'C_r',
      'collectives of a row block: bytes · links',
      traffic.rowBlockLinkBytes,
      'B',
      'multicast of Q and reduction of O',
    ),
    term('n', 'column blocks', shape.columnBlocks, '1', 'mapping'),
    term(
      'C_c',
      'collectives of a column block: bytes · links',
      traffic.columnBlockLinkBytes,
      'B',
      'multicast of K and V, collectives of two state vectors',
    ),
  ],
  source: 'Counting links under XY routing, the mean distance to the edge for HBM',
})

function explainScratchpad(
  dataflow: Dataflow,
  { result, shape }: AttentionKernel,
  chip: Chip,
): Explanation {
  const { workload } = shape
  const common = [
    term('e', 'bytes of an element', elementBytes(workload.dtype), 'B', 'workload.dtype'),
    term('Br', 'query rows of a slice', shape.sliceRows, 'rows', 'result.mapping.sliceRows'),
    term('Bc', 'KV columns of a slice', shape.sliceCols, 'columns', 'result.mapping.sliceCols'),
    term('capacity', 'L1 of a tile', chip.l1.capacity, 'B', 'chip.l1.capacityKiB'),
  ]
  const field = {
    field: 'l1PeakBytes',
    label: 'L1 per tile',
    value: result.l1PeakBytes,
    unit: 'B',
  }
  if (isAbsorbed(workload)) {
    return {
      ...field,
      formula: 'L = e · (c · (Br · (n_Q + n_O) + Bc · n_KV) + Br · Bc · n_A + Br · n_s)',
      terms: [...common, ...latentBufferTerms(dataflow, shape)],
      source: 'Buffers of the public FlatMLA kernels',
    }
  }
  const { sum, terms } = dimensionSymbols(workload)
  return {
    ...field,
    formula: `L = sets · e · (Br · ${sum} + Bc · ${sum} + Br · Bc + 5 · Br)`,
    terms: [
      term('sets', 'buffer sets', isDoubleBuffered(dataflow) ? 2 : 1, '1', `dataflow ${dataflow}`),
      ...common,
      ...terms,
    ],
    source: 'Buffers of the public FlatAttention kernels',
  }
}

function latentBufferTerms(dataflow: Dataflow, shape: KernelShape): ExplanationTerm[] {
  const { workload } = shape
  const buffers = latentBuffers(shape, workload, {
    dataflow,
    keepsMaximum: keepsMaximum(shape, workload),
  })
  const counted = (symbol: string, name: string, value: number) =>
    term(symbol, `buffers of ${name}`, value, '1', `dataflow ${dataflow}`)
  return [
    term('c', 'elements of a chunk', chunkWidth(workload), 'elements', 'workload.latentDim'),
    counted('n_Q', 'a chunk of Q', buffers.query),
    counted('n_O', 'a chunk of O', buffers.output),
    counted('n_KV', 'a chunk of K or V', buffers.keyValue),
    counted('n_A', 'scores', buffers.scores),
    counted('n_s', 'a state vector', buffers.state),
  ]
}
