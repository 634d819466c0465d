import { describe, expect, test } from 'vitest'
import { matrixContext, tileCosts } from '#shared/models/attention/tile-costs.ts'
import { makeChip, noArtefacts } from '#test/support/make-chip.ts'

const slice = {
  sliceRows: 64,
  sliceCols: 128,
  dimensions: { score: 128, value: 128 },
  dtype: 'fp16',
} as const

describe('costs of a slice of 64 × 128 scores, D 128, FP16', () => {
  test('both matrix operations take the measured 2145 cycles', () => {
    expect(tileCosts(slice, makeChip())).toMatchObject({ scores: 2145, output: 2145 })
  })

  test('row operands have the rows, column operands the columns', () => {
    expect(tileCosts(slice, makeChip())).toMatchObject({
      query: 64 * 128 * 2,
      outputRows: 64 * 128 * 2,
      key: 128 * 128 * 2,
      value: 128 * 128 * 2,
      stateVector: 64 * 2,
    })
  })

  test('clearing goes at one L1 line per cycle', () => {
    expect(tileCosts(slice, makeChip())).toMatchObject({
      clearScores: (64 * 128 * 2) / 512 + 23,
      clearOutput: (64 * 128 * 2) / 512 + 23,
    })
  })

  test('K is transposed after its load', () => {
    expect(tileCosts(slice, makeChip()).keyTranspose).toBe(277)
  })

  test('K that lies transposed in memory costs nothing', () => {
    const kernels = { keyTranspose: 'in-memory', flashRowBlocksPerTile: 1 } as const
    expect(tileCosts(slice, makeChip({ kernels })).keyTranspose).toBe(0)
  })
})

describe('writing of matrix results', () => {
  const honest = makeChip({ referenceArtefacts: noArtefacts })

  test('is left out in FP16 with the artefact, and only there', () => {
    expect(matrixContext(makeChip(), 'fp16').writesOutput).toBe(false)
    expect(matrixContext(makeChip(), 'fp8').writesOutput).toBe(true)
    expect(matrixContext(honest, 'fp16').writesOutput).toBe(true)
  })

  test('lengthens an operation by the rows of the last tile', () => {
    const difference = tileCosts(slice, honest).scores - tileCosts(slice, makeChip()).scores
    expect(difference).toBe(31)
  })
})
