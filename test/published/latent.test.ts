import { describe, vi } from 'vitest'
import { validateDecode } from '#shared/validation/validate-decode.ts'
import { validateLatent, validateLatentSlides } from '#shared/validation/validate-latent.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

vi.setConfig({ testTimeout: 120_000 })

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
  expectSets(
    [...validateLatent('phase'), validateLatentSlides()],
    [
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
    ],
  )
})

describe('decode of MLA on the event engine', () => {
  expectSets(validateLatent('event'), [
    {
      id: 'mla-runs-event-2026',
      rows: 13,
      target: { meanAbsoluteError: 0.03, largestError: 0.15 },
    },
    {
      id: 'mla-hbm-traffic-runs-event-2026',
      rows: 8,
      target: { meanAbsoluteError: 0.001, largestError: 0.001 },
    },
    {
      id: 'mla-deepseek-event-2025',
      rows: 4,
      target: { meanAbsoluteError: 0.08, largestError: 0.2 },
    },
  ])
})
