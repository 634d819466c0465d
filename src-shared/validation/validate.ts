import { MODEL_VERSION } from '#shared/model-version.ts'
import { validateArea } from '#shared/validation/validate-area.ts'
import { validateBarriers, validateCollectives } from '#shared/validation/validate-collectives.ts'
import { validateCollectivesInKernels } from '#shared/validation/validate-collectives-in-kernels.ts'
import { validateDecode } from '#shared/validation/validate-decode.ts'
import { validateExploration } from '#shared/validation/validate-exploration.ts'
import { validateFig12 } from '#shared/validation/validate-fig12.ts'
import { validateFigures } from '#shared/validation/validate-figures.ts'
import { validateFlops } from '#shared/validation/validate-flops.ts'
import { validateGemm } from '#shared/validation/validate-gemm.ts'
import { validateLatent } from '#shared/validation/validate-latent.ts'
import { validateOperations } from '#shared/validation/validate-operations.ts'
import { validatePaper } from '#shared/validation/validate-paper.ts'
import { validateReferenceRuns } from '#shared/validation/validate-reference-runs.ts'
import { validateTile } from '#shared/validation/validate-tile.ts'
import { validateTransfers } from '#shared/validation/validate-transfers.ts'
import { validateVector } from '#shared/validation/validate-vector.ts'
import type { ValidationSet } from '#shared/validation/validation-set.ts'

export interface Validation {
  readonly modelVersion: string
  readonly sets: readonly ValidationSet[]
  readonly passed: boolean
}

/** Compares the models with every published number that ships with the app. */
export function validate(): Validation {
  const sets = [
    ...validateTile(),
    ...validateTransfers(),
    ...validateCollectives('phase'),
    ...validateCollectives('event'),
    ...validateBarriers(),
    ...validateCollectivesInKernels(),
    ...validateOperations(),
    ...validateReferenceRuns(),
    ...validateDecode(),
    ...validateLatent(),
    ...validateFigures(),
    ...validatePaper(),
    ...validateFig12(),
    ...validateFlops(),
    ...validateExploration(),
    ...validateArea(),
    ...validateGemm('phase'),
    ...validateGemm('event'),
    ...validateVector(),
  ]
  return { modelVersion: MODEL_VERSION, sets, passed: sets.every(set => set.passed) }
}
