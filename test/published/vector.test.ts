import { describe } from 'vitest'
import { validateVector } from '#shared/validation/validate-vector.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

describe('vector kernels against the reference simulator and published figures', () => {
  const target = { meanAbsoluteError: 0.06, largestError: 0.15 }
  expectSets(validateVector('phase'), [
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

describe('the same with the event engine', () => {
  const target = { meanAbsoluteError: 0.08, largestError: 0.15 }
  expectSets(validateVector('event'), [
    { id: 'vector-kernels-event-2026', rows: 18, target },
    { id: 'vector-first-tile-event-2026', rows: 24, target },
    {
      id: 'vector-traffic-event-2026',
      rows: 24,
      target: { meanAbsoluteError: 0, largestError: 0 },
    },
    // The shorter of those two bars is a step and a tenth under the simulated sum.
    {
      id: 'vector-deepseek-event-2025',
      rows: 5,
      target: { meanAbsoluteError: 0.2, largestError: 0.4 },
    },
  ])
})
