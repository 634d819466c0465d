import { bytes, flops, type Bytes, type Flops } from '#shared/units/quantity.ts'
import { elementBytes, type DataType } from '#shared/workload/attention.ts'

/**
 * `batch` independent products Z[m × n] = X[m × k] · W[k × n], each with operands of its own, all
 * stored by rows. k is the contraction.
 */
export interface GemmWorkload {
  readonly m: number
  readonly n: number
  readonly k: number
  readonly batch: number
  readonly dtype: DataType
}

/** FLOPs that the result needs: 2 · m · n · k for each product. */
export const gemmFlops = ({ m, n, k, batch }: GemmWorkload): Flops => flops(2 * m * n * k * batch)

/** Bytes of X, W and Z, each touched once: the least that any dataflow moves. */
export const gemmCompulsoryBytes = ({ m, n, k, batch, dtype }: GemmWorkload): Bytes =>
  bytes(elementBytes(dtype) * batch * (m * k + k * n + m * n))
