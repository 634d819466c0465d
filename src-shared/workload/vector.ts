import { bytes, type Bytes } from '#shared/units/quantity.ts'
import { elementBytes, type DataType } from '#shared/workload/attention.ts'

export type VectorKernelId =
  'rms-norm' | 'rope' | 'silu-gate' | 'add' | 'top-k' | 'dispatch' | 'combine'

/** What the tokens hold, where the time depends on it. */
export type VectorData = 'zeros' | 'random'

/** One kernel between the matrix products of a decoder layer, over `tokens` rows. */
export interface VectorWorkload {
  readonly kernel: VectorKernelId
  readonly tokens: number
  /** Elements of a token: of its row, or its scores; 0 where no row is read. */
  readonly width: number
  readonly experts: number
  /** Experts that a token goes to. */
  readonly topK: number
  readonly dtype: DataType
  readonly data: VectorData
}

/** Bytes of an index: a position in the sequence, an expert, a place in an expert's queue. */
export const INDEX_BYTES = 4

/** What one token reads from HBM and writes to it. */
export interface TokenBytes {
  readonly read: Bytes
  readonly written: Bytes
}

/**
 * HBM bytes of one token, each operand once.
 *
 *   rms-norm   w·e read, w·e written        rope       2·w·e + 4 read, w·e written
 *   silu-gate  2·w·e read, w·e written      add        2·w·e read, w·e written
 *   top-k      w·e read, k·(4 + e) written  dispatch   4·k read, 4·k written
 *   combine    k·(w·e + 4 + e) read, w·e written
 *
 * w  width        e  bytes of an element        k  topK
 * 4  bytes of an index. The tables of rope hold a cosine and a sine for each pair of elements.
 *
 * Source: operands of the public kernels of arXiv 2604.02110; equal to the traffic of every recorded
 *   run (resources/published/vector-kernels-2026.json).
 * Checked by: the validation set vector-traffic-2026.
 */
export function tokenBytes({ kernel, width, topK, dtype }: VectorWorkload): TokenBytes {
  const element = elementBytes(dtype)
  const row = width * element
  const of = (read: number, written: number) => ({ read: bytes(read), written: bytes(written) })
  switch (kernel) {
    case 'rms-norm':
      return of(row, row)
    case 'rope':
      return of(2 * row + INDEX_BYTES, row)
    case 'silu-gate':
    case 'add':
      return of(2 * row, row)
    case 'top-k':
      return of(row, topK * (INDEX_BYTES + element))
    case 'dispatch':
      return of(topK * INDEX_BYTES, topK * INDEX_BYTES)
    case 'combine':
      return of(topK * (row + INDEX_BYTES + element), row)
  }
}

/**
 * Buffers of one token in L1. A kernel works in place: its result takes the room of an operand.
 *
 *   rope    2·w·e + 4        silu-gate, add, combine (with its indices)    2·w·e
 *   others  what is read and written
 */
export function vectorL1Bytes(workload: VectorWorkload): Bytes {
  const { kernel, width, topK, dtype } = workload
  const element = elementBytes(dtype)
  const { read, written } = tokenBytes(workload)
  switch (kernel) {
    case 'rms-norm':
    case 'rope':
    case 'silu-gate':
    case 'add':
      return read
    case 'combine':
      return bytes(2 * width * element + topK * (INDEX_BYTES + element))
    case 'top-k':
    case 'dispatch':
      return bytes(read + written)
  }
}
