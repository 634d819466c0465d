import { describe } from 'vitest'
import { validateTile } from '#shared/validation/validate-tile.ts'
import { exactly } from '#shared/validation/validation-set.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

describe('matrix engine and L1 against published numbers', () => {
  expectSets(validateTile(), [
    { id: 'matrix-engine-2026', rows: 209, target: exactly },
    { id: 'matrix-engine-fp8-2026', rows: 32, target: exactly },
    // Another generation of the engine, whose start-up is not in the published timing rules.
    {
      id: 'redmule-rtl-calibration-12x4',
      rows: 14,
      target: { meanAbsoluteError: 0.01, largestError: 0.02 },
    },
    { id: 'fig11-l1-occupancy', rows: 16, target: exactly },
  ])
})
