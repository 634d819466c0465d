import type { SummaShape } from '#shared/models/summa/summa-shape.ts'
import { bytes, flops, type Bytes, type Flops } from '#shared/units/quantity.ts'
import { elementBytes } from '#shared/workload/attention.ts'

/** What a GEMM moves and computes. */
export interface SummaTraffic {
  readonly xBytes: Bytes
  readonly wBytes: Bytes
  readonly zBytes: Bytes
  /** How often all of X is read: once for each panel of columns of Z. */
  readonly columnPanels: number
  readonly executedFlops: Flops
}

/**
 * HBM bytes and executed FLOPs of a GEMM.
 *
 *   X = e · b · m · k · columnPanels     W = e · b · k · n · rowBlocks     Z = e · b · m · n
 *
 * e  bytes of an element     b  products of the batch
 * Every panel of columns reads X anew, every panel of rows W; Z is written once. Executed FLOPs
 * count whole tiles and whole steps.
 *
 * Source: counting; equal to the bytes that the reference simulator requests, apart from stores that
 *   it repeats (resources/docs/gemm.md).
 * Checked by: test/published/gemm.test.ts
 */
export function summaTraffic(shape: SummaShape): SummaTraffic {
  const { workload, split, groupX, groupY, tileM, tileN, tileK, groups } = shape
  const { m, n, k, batch } = workload
  const element = elementBytes(workload.dtype)
  const columnPanels = blocksOf(n, split === 'n' ? groups : 1, groupX * tileN)
  const steps = blocksOf(k, split === 'k' ? groups : 1, tileK)
  return {
    xBytes: bytes(element * batch * m * k * columnPanels),
    wBytes: bytes(element * batch * k * n * shape.rowBlocks),
    zBytes: bytes(element * batch * m * n),
    columnPanels,
    executedFlops: flops(
      2 *
        batch *
        (shape.rowBlocks * groupY * tileM) *
        (columnPanels * groupX * tileN) *
        steps *
        tileK,
    ),
  }
}

/** Blocks of a length that is first cut into equal shares: each share has a last, short block. */
function blocksOf(length: number, shares: number, block: number): number {
  const share = Math.ceil(length / shares)
  const whole = Math.floor(length / share)
  return whole * Math.ceil(share / block) + Math.ceil((length - whole * share) / block)
}
