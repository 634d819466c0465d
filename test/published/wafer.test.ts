import { describe } from 'vitest'
import { exactly } from '#shared/validation/validation-set.ts'
import { validateWafer } from '#shared/validation/validate-wafer.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

const chart = { meanAbsoluteError: 0.001, largestError: 0.003 }
const fixedTraffic = { meanAbsoluteError: 0.002, largestError: 0.005 }

describe('die-to-die links and exchanges, flit by flit', () => {
  expectSets(validateWafer('event'), [
    { id: 'd2d-calibration-2026', rows: 50, target: exactly },
    { id: 'd2d-throughput-vs-bandwidth-2025', rows: 55, target: chart },
    { id: 'd2d-throughput-vs-latency-2025', rows: 20, target: chart },
    { id: 'd2d-credit-depletion-2025', rows: 14, target: chart },
    { id: 'd2d-all-to-all-2026', rows: 10, target: fixedTraffic },
    { id: 'd2d-balanced-2026', rows: 11, target: fixedTraffic },
    {
      id: 'd2d-dispatch-2026',
      rows: 6,
      target: { meanAbsoluteError: 0.03, largestError: 0.06 },
    },
    {
      id: 'd2d-dispatch-acknowledged-2026',
      rows: 6,
      target: { meanAbsoluteError: 0.08, largestError: 0.15 },
    },
  ])
})

describe('exchanges by the closed form', () => {
  expectSets(validateWafer('phase'), [
    {
      id: 'd2d-estimate-2026',
      rows: 21,
      target: { meanAbsoluteError: 0.02, largestError: 0.1 },
    },
    {
      id: 'd2d-estimate-dispatch-2026',
      rows: 6,
      target: { meanAbsoluteError: 0.03, largestError: 0.06 },
    },
  ])
})
