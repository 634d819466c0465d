import { describe } from 'vitest'
import { validateTransfers } from '#shared/validation/validate-transfers.ts'
import { exactly } from '#shared/validation/validation-set.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

describe('single transfers and patterns on the mesh against published numbers', () => {
  const close = { meanAbsoluteError: 0.03, largestError: 0.1 }
  expectSets(validateTransfers(), [
    // Loads that meet a closed row or a refresh take 55 to 110 cycles more.
    {
      id: 'dma-hbm-reads-long-2026',
      rows: 54,
      target: { meanAbsoluteError: 0.03, largestError: 0.3 },
    },
    {
      id: 'dma-hbm-reads-short-2026',
      rows: 126,
      target: { meanAbsoluteError: 0.2, largestError: 0.75 },
    },
    { id: 'dma-hbm-writes-2026', rows: 90, target: close },
    { id: 'dma-tiles-2026', rows: 180, target: close },
    { id: 'dma-local-2026', rows: 180, target: close },
    { id: 'dma-transpose-2026', rows: 12, target: exactly },
    {
      id: 'dma-all-tiles-read-2026',
      rows: 12,
      target: { meanAbsoluteError: 0.05, largestError: 0.1 },
    },
    // The DMA of 2024 pauses after each burst, which shows where no link is shared.
    { id: 'noc-unicast-2024', rows: 18, target: { meanAbsoluteError: 0.06, largestError: 0.25 } },
  ])
})
