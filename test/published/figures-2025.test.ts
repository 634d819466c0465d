import { describe } from 'vitest'
import { validateFigures } from '#shared/validation/validate-figures.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

describe('attention kernels against the figures of arXiv 2505.18824', () => {
  expectSets(validateFigures('phase'), [
    {
      id: 'fig8-dataflows-2025',
      rows: 12,
      target: { meanAbsoluteError: 0.1, largestError: 0.2 },
    },
    {
      id: 'fig8-software-collectives-2025',
      rows: 3,
      target: { meanAbsoluteError: 0.2, largestError: 0.3 },
    },
    {
      id: 'fig8-hbm-traffic-2025',
      rows: 15,
      target: { meanAbsoluteError: 0.02, largestError: 0.02 },
    },
    {
      id: 'fig9-group-scale-2025',
      rows: 8,
      target: { meanAbsoluteError: 0.1, largestError: 0.2 },
    },
    {
      id: 'fig9-matrix-active-2025',
      rows: 8,
      target: { meanAbsoluteError: 0.02, largestError: 0.02 },
    },
  ])
})
