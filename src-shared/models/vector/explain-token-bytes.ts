import { term } from '#shared/models/explanation-term.ts'
import type { VectorKernel } from '#shared/models/vector/vector-kernel.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import { elementBytes } from '#shared/workload/attention.ts'
import { INDEX_BYTES, type VectorKernelId } from '#shared/workload/vector.ts'

/** Formulas of a token in w, e, k and i, and of its buffers in L1. */
const formulas: Readonly<
  Record<VectorKernelId, { readonly read: string; readonly written: string; readonly l1: string }>
> = {
  'rms-norm': { read: 'w · e', written: 'w · e', l1: 'w · e' },
  rope: { read: '(2 · w · e + i)', written: 'w · e', l1: '2 · w · e + i' },
  'silu-gate': { read: '2 · w · e', written: 'w · e', l1: '2 · w · e' },
  add: { read: '2 · w · e', written: 'w · e', l1: '2 · w · e' },
  'top-k': { read: 'w · e', written: 'k · (i + e)', l1: 'w · e + k · (i + e)' },
  dispatch: { read: 'k · i', written: 'k · i', l1: '2 · k · i' },
  combine: { read: 'k · (w · e + i + e)', written: 'w · e', l1: '2 · w · e + k · (i + e)' },
}

/** HBM traffic and L1 buffers: operands of all tokens, each once. */
export function explainTokenBytes({ result, workload }: VectorKernel): Explanation[] {
  const { read, written, l1 } = formulas[workload.kernel]
  const tokens = term('M', 'tokens', workload.tokens, '1', 'workload.tokens')
  const sizes = [
    term('w', 'width', workload.width, '1', 'workload.width'),
    term('e', 'bytes of an element', elementBytes(workload.dtype), 'B', 'workload.dtype'),
    term('k', 'experts of a token', workload.topK, '1', 'workload.topK'),
    term('i', 'bytes of an index', INDEX_BYTES, 'B', 'Indices of 32 bit'),
  ]
  const entry = (
    field: 'hbmReadBytes' | 'hbmWriteBytes' | 'l1PeakBytes',
    label: string,
    formula: string,
  ): Explanation => ({
    field,
    label,
    value: result[field],
    unit: 'B',
    formula,
    terms: field === 'l1PeakBytes' ? sizes : [tokens, ...sizes],
    source: 'Operands of the public kernels of arXiv 2604.02110, each read or written once',
  })
  return [
    entry('hbmReadBytes', 'Bytes read from HBM', `R = M · ${read}`),
    entry('hbmWriteBytes', 'Bytes written to HBM', `W = M · ${written}`),
    entry('l1PeakBytes', 'Buffers of a token in L1', `S = ${l1}`),
  ]
}
