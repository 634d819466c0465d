import { describe, vi } from 'vitest'
import { validateDecode } from '#shared/validation/validate-decode.ts'
import { validateFigures } from '#shared/validation/validate-figures.ts'
import { validatePaperWithEvents } from '#shared/validation/validate-paper.ts'
import { validateReferenceRuns } from '#shared/validation/validate-reference-runs.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

vi.setConfig({ testTimeout: 60_000 })

describe('the event engine against runs of the reference simulator', () => {
  expectSets(
    [...validateReferenceRuns('event'), ...validateDecode('event')],
    [
      {
        id: 'flat-runs-event-2026',
        rows: 38,
        target: { meanAbsoluteError: 0.03, largestError: 0.15 },
      },
      {
        id: 'flash-runs-event-2026',
        rows: 22,
        target: { meanAbsoluteError: 0.06, largestError: 0.15 },
      },
      {
        id: 'software-collectives-runs-event-2026',
        rows: 1,
        target: { meanAbsoluteError: 0.06, largestError: 0.15 },
      },
      {
        id: 'decode-runs-event-2026',
        rows: 5,
        target: { meanAbsoluteError: 0.06, largestError: 0.15 },
      },
    ],
  )
})

describe('the event engine against the figures of both papers', () => {
  const target = { meanAbsoluteError: 0.08, largestError: 0.25 }
  expectSets(
    [...validateFigures('event'), ...validatePaperWithEvents()],
    [
      { id: 'fig8-dataflows-event-2025', rows: 15, target },
      { id: 'fig9-group-scale-event-2025', rows: 8, target },
      {
        id: 'paper-2604.02110-ratios-event',
        rows: 1,
        target: { meanAbsoluteError: 0.08, largestError: 0.08 },
      },
      {
        id: 'paper-2604.02110-utilisation-event',
        rows: 2,
        target: { meanAbsoluteError: 0.02, largestError: 0.02 },
      },
    ],
  )
})
