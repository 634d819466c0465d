import type { Chip } from '#shared/hardware/chip.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { AttentionKernel } from '#shared/models/attention/attention-kernel.ts'
import { term } from '#shared/models/explanation-term.ts'
import { isDoubleBuffered } from '#shared/models/attention/l1-occupancy.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import { elementBytes, headJobs, queryRows } from '#shared/workload/attention.ts'

const PAPER = 'arXiv 2604.02110'

/** Bytes moved between HBM and the tiles and over the links, and bytes kept in L1. */
export function explainTraffic(
  dataflow: Dataflow,
  kernel: AttentionKernel,
  chip: Chip,
): Explanation[] {
  return [...explainMemory(kernel), explainLinks(kernel), explainScratchpad(dataflow, kernel, chip)]
}

function explainMemory({ result, shape }: AttentionKernel): Explanation[] {
  const { workload } = shape
  const e = term('e', 'bytes of an element', elementBytes(workload.dtype), 'B', 'workload.dtype')
  const d = term('d', 'head dimension', workload.headDim, 'elements', 'workload.headDim')
  const jobs = term(
    'jobs',
    'sequences · KV heads',
    headJobs(workload),
    '1',
    'workload.batch · workload.kvHeads',
  )
  const q = term(
    'q',
    'query rows of a job',
    queryRows(workload),
    'rows',
    'queryLength · speculativeLength · heads / kvHeads',
  )
  return [
    {
      field: 'hbmReadBytes',
      label: 'HBM bytes read',
      value: result.hbmReadBytes,
      unit: 'B',
      formula:
        workload.kvLength > 0
          ? 'R = e · jobs · q · d + 2 · e · d · columns'
          : 'R = 2 · e · d · columns; without keys Q is not read',
      terms: [
        e,
        jobs,
        q,
        d,
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
      source: `${PAPER}, Section III-C`,
    },
    {
      field: 'hbmWriteBytes',
      label: 'HBM bytes written',
      value: result.hbmWriteBytes,
      unit: 'B',
      formula: 'W = e · jobs · q · d',
      terms: [e, jobs, q, d],
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
  return {
    field: 'l1PeakBytes',
    label: 'L1 per tile',
    value: result.l1PeakBytes,
    unit: 'B',
    formula: 'L = sets · e · (2·Br·d + 2·Bc·d + Br·Bc + 5·Br)',
    terms: [
      term('sets', 'buffer sets', isDoubleBuffered(dataflow) ? 2 : 1, '1', `dataflow ${dataflow}`),
      term('e', 'bytes of an element', elementBytes(workload.dtype), 'B', 'workload.dtype'),
      term('Br', 'query rows of a slice', shape.sliceRows, 'rows', 'result.mapping.sliceRows'),
      term('Bc', 'KV columns of a slice', shape.sliceCols, 'columns', 'result.mapping.sliceCols'),
      term('d', 'head dimension', workload.headDim, 'elements', 'workload.headDim'),
      term('capacity', 'L1 of a tile', chip.l1.capacity, 'B', 'chip.l1.capacityKiB'),
    ],
    source: 'Buffers of the public FlatAttention kernels',
  }
}
