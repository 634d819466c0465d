import { describe, expect, test } from 'vitest'
import { gemmCompulsoryBytes, gemmFlops } from '#shared/workload/gemm.ts'

describe('a GEMM of 3 × 5 × 7', () => {
  const gemm = { m: 3, n: 5, k: 7, batch: 1, dtype: 'fp16' as const }

  test('needs a multiply and an add for each element of Z and of the contraction', () => {
    expect(gemmFlops(gemm)).toBe(210)
  })

  test('touches X, W and Z once at least', () => {
    expect(gemmCompulsoryBytes(gemm)).toBe(2 * (21 + 35 + 15))
  })

  test('has operands of its own in each product of a batch', () => {
    expect(gemmFlops({ ...gemm, batch: 4 })).toBe(840)
    expect(gemmCompulsoryBytes({ ...gemm, batch: 4, dtype: 'fp8' })).toBe(4 * 71)
  })
})
