import { describe } from 'vitest'
import { validateArea } from '#shared/validation/validate-area.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

describe('the die area of the chip of 2025', () => {
  expectSets(validateArea(), [
    {
      id: 'figD-die-area-2025',
      rows: 2,
      target: { meanAbsoluteError: 0.02, largestError: 0.02 },
    },
  ])
})
