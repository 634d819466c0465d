import { describe } from 'vitest'
import { validateVector } from '#shared/validation/validate-vector.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

describe('vector kernels against the reference simulator and published figures', () => {
  const target = { meanAbsoluteError: 0.06, largestError: 0.15 }
  expectSets(validateVector(), [
    { id: 'vector-kernels-2026', rows: 18, target },
    { id: 'vector-first-tile-2026', rows: 24, target },
    {
      id: 'vector-traffic-2026',
      rows: 24,
      target: { meanAbsoluteError: 0, largestError: 0 },
    },
    // Steps of the slide are 0.55 µs: it shows 1.7 and 2.2 µs for two sums of the same size.
    { id: 'vector-deepseek-2025', rows: 5, target: { meanAbsoluteError: 0.2, largestError: 0.3 } },
  ])
})
