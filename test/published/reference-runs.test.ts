import { describe } from 'vitest'
import { validateReferenceRuns } from '#shared/validation/validate-reference-runs.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

describe('attention kernels against runs of the reference simulator', () => {
  expectSets(validateReferenceRuns('phase'), [
    {
      id: 'attention-runs-2026',
      rows: 60,
      target: { meanAbsoluteError: 0.06, largestError: 0.15 },
    },
    {
      id: 'software-collectives-runs-2026',
      rows: 1,
      target: { meanAbsoluteError: 0.2, largestError: 0.2 },
    },
    {
      id: 'hbm-traffic-runs-2026',
      rows: 64,
      target: { meanAbsoluteError: 0.02, largestError: 0.02 },
    },
  ])
})
