import { describe } from 'vitest'
import { validateOperations } from '#shared/validation/validate-operations.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

describe('operations of a tile inside whole kernels', () => {
  expectSets(validateOperations(), [
    {
      id: 'operation-durations-2026',
      rows: 54,
      target: { meanAbsoluteError: 0.06, largestError: 0.15 },
    },
    {
      id: 'memory-operations-2026',
      rows: 14,
      target: { meanAbsoluteError: 0.12, largestError: 0.4 },
    },
  ])
})
