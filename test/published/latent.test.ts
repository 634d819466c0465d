import { describe } from 'vitest'
import { validateDecode } from '#shared/validation/validate-decode.ts'
import { validateLatent } from '#shared/validation/validate-latent.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

describe('decode of MHA and GQA against runs of the reference simulator', () => {
  expectSets(validateDecode('phase'), [
    {
      id: 'decode-runs-2026',
      rows: 5,
      target: { meanAbsoluteError: 0.06, largestError: 0.15 },
    },
  ])
})

describe('decode of MLA against runs, slides and the paper', () => {
  expectSets(validateLatent(), [
    {
      id: 'mla-runs-2026',
      rows: 13,
      target: { meanAbsoluteError: 0.06, largestError: 0.15 },
    },
    {
      id: 'mla-hbm-traffic-runs-2026',
      rows: 8,
      target: { meanAbsoluteError: 0.001, largestError: 0.001 },
    },
    {
      id: 'mla-deepseek-2025',
      rows: 4,
      target: { meanAbsoluteError: 0.08, largestError: 0.2 },
    },
    {
      id: 'flatmla-decode-2025',
      rows: 3,
      target: { meanAbsoluteError: 0.08, largestError: 0.15 },
    },
  ])
})
