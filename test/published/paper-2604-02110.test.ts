import { describe, expect, test } from 'vitest'
import { validatePaper } from '#shared/validation/validate-paper.ts'
import { exactly } from '#shared/validation/validation-set.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

const sets = validatePaper()
const rows = sets.flatMap(set => set.rows)
const predicted = (start: string): number => {
  const row = rows.find(({ name }) => name.startsWith(start))
  if (row === undefined) throw new Error(`no row ${start}`)
  return row.predicted
}

describe('numbers printed in arXiv 2604.02110', () => {
  expectSets(sets, [
    // The paper rounds the traffic ratio of 16.5 down to 16.
    {
      id: 'paper-2604.02110-ratios',
      rows: 3,
      target: { meanAbsoluteError: 0.05, largestError: 0.075 },
    },
    {
      id: 'paper-2604.02110-utilisation',
      rows: 2,
      target: { meanAbsoluteError: 0.02, largestError: 0.02 },
    },
    {
      id: 'paper-2604.02110-over-flattening',
      rows: 1,
      target: { meanAbsoluteError: 0.03, largestError: 0.03 },
    },
    { id: 'paper-2604.02110-tiling', rows: 4, target: exactly },
  ])

  test('the speed-up of FlatAsync over FlashAttention-3 lies between 3.8 and 4.4', () => {
    const speedUp = predicted('speedup of FlatAsync')
    expect(speedUp).toBeGreaterThan(3.8)
    expect(speedUp).toBeLessThan(4.4)
  })

  test('FlashAttention-3 moves 16.5 times as many bytes, exactly', () => {
    expect(predicted('HBM traffic of FlashAttention-3')).toBe(16.5)
  })
})
