import { describe } from 'vitest'
import { validateFlops } from '#shared/validation/validate-flops.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

describe('the FLOPs of Fig. 1', () => {
  expectSets(validateFlops(), [
    {
      id: 'fig1-flops-decode',
      rows: 15,
      target: { meanAbsoluteError: 0.00005, largestError: 0.0001 },
    },
  ])
})
