import { describe } from 'vitest'
import {
  validateDeployment,
  validateSimulatedDeployment,
} from '#shared/validation/validate-deployment.ts'
import { expectSets } from '#test/published/plausible-rows.ts'

describe('deployments of DeepSeek-v3-671B on the wafer', () => {
  expectSets(validateDeployment(), [
    {
      id: 'decode-systems-2026',
      rows: 4,
      target: { meanAbsoluteError: 0.03, largestError: 0.05 },
    },
    {
      id: 'decode-system-ratios-2026',
      rows: 3,
      target: { meanAbsoluteError: 0.05, largestError: 0.05 },
    },
    {
      id: 'fig13-batch-256-2026',
      rows: 4,
      target: { meanAbsoluteError: 0.03, largestError: 0.07 },
    },
    { id: 'fig13-tpot-2025', rows: 9, target: { meanAbsoluteError: 0.03, largestError: 0.06 } },
    { id: 'fig13-plateaus-2025', rows: 2, target: { meanAbsoluteError: 0.08, largestError: 0.12 } },
    {
      id: 'fig13-kernels-2025',
      rows: 19,
      target: { meanAbsoluteError: 0.005, largestError: 0.02 },
    },
  ])
})

describe('the same with every kernel on the event engine', () => {
  expectSets(validateSimulatedDeployment(), [
    {
      id: 'fig13-tpot-event-2025',
      rows: 5,
      target: { meanAbsoluteError: 0.03, largestError: 0.06 },
    },
  ])
})
