import { describe } from 'vitest'
import { validateCollectivesInKernels } from '#shared/validation/validate-collectives-in-kernels.ts'
import { validateBarriers, validateCollectives } from '#shared/validation/validate-collectives.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

const usual = { meanAbsoluteError: 0.06, largestError: 0.15 }

// Other fixed costs, and in RTL a pause at each page; the two are 16 % apart.
const simulatorOf2025 = { meanAbsoluteError: 0.08, largestError: 0.2 }
const rtl = { meanAbsoluteError: 0.12, largestError: 0.2 }

describe('collectives by themselves', () => {
  expectSets(validateCollectives('phase'), [
    { id: 'collectives-2026', rows: 94, target: usual },
    { id: 'fig7-collectives-2026', rows: 4, target: usual },
    { id: 'noc-row-reduction-simulator-2025', rows: 10, target: simulatorOf2025 },
    { id: 'noc-row-reduction-rtl-2025', rows: 10, target: rtl },
  ])
})

describe('the same with the event engine', () => {
  expectSets(validateCollectives('event'), [
    { id: 'collectives-event-2026', rows: 94, target: usual },
    { id: 'fig7-collectives-event-2026', rows: 4, target: usual },
    { id: 'noc-row-reduction-simulator-event-2025', rows: 10, target: simulatorOf2025 },
    { id: 'noc-row-reduction-rtl-event-2025', rows: 10, target: rtl },
  ])
})

describe('barriers by themselves', () => {
  expectSets(validateBarriers(), [
    { id: 'barriers-back-to-back-2026', rows: 4, target: usual },
    { id: 'barriers-2026', rows: 3, target: usual },
    // Kernels of 2024, in which a barrier of one tile takes 113 cycles.
    {
      id: 'barriers-2024',
      rows: 6,
      target: { meanAbsoluteError: 0.33, largestError: 0.55 },
    },
  ])
})

describe('collectives as part of a kernel', () => {
  expectSets(validateCollectivesInKernels(), [
    { id: 'flat-hc-collectives-2026', rows: 4, target: usual },
  ])
})
