import { MODEL_VERSION } from '#shared/model-version.ts'
import { engines, type Engine } from '#shared/schema/engine-field.ts'
import { finish, type Simulation } from '#shared/simulate/simulation.ts'
import { validateArea } from '#shared/validation/validate-area.ts'
import { validateCluster } from '#shared/validation/validate-cluster.ts'
import { validateBarriers, validateCollectives } from '#shared/validation/validate-collectives.ts'
import { validateCollectivesInKernels } from '#shared/validation/validate-collectives-in-kernels.ts'
import { validateDecode } from '#shared/validation/validate-decode.ts'
import {
  validateDeployment,
  validateSimulatedDeployment,
} from '#shared/validation/validate-deployment.ts'
import { validateExploration } from '#shared/validation/validate-exploration.ts'
import { validateFig12 } from '#shared/validation/validate-fig12.ts'
import { validateFigures } from '#shared/validation/validate-figures.ts'
import { validateFlops } from '#shared/validation/validate-flops.ts'
import { validateGemm } from '#shared/validation/validate-gemm.ts'
import { validateLatent, validateLatentSlides } from '#shared/validation/validate-latent.ts'
import { validateOperations } from '#shared/validation/validate-operations.ts'
import { validatePaper, validatePaperWithEvents } from '#shared/validation/validate-paper.ts'
import { validateReferenceRuns } from '#shared/validation/validate-reference-runs.ts'
import { validateTile } from '#shared/validation/validate-tile.ts'
import { validateTransfers } from '#shared/validation/validate-transfers.ts'
import { validateVector } from '#shared/validation/validate-vector.ts'
import { validateWafer } from '#shared/validation/validate-wafer.ts'
import type { ValidationSet } from '#shared/validation/validation-set.ts'

export interface Validation {
  readonly modelVersion: string
  readonly sets: readonly ValidationSet[]
  readonly passed: boolean
}

interface Section {
  readonly name: string
  readonly engine: Engine
  readonly sets: () => ValidationSet[]
}

/** What is compared, part by part, in the order of the report. */
const sections: readonly Section[] = [
  { name: 'tile', engine: 'phase', sets: validateTile },
  { name: 'transfers', engine: 'phase', sets: validateTransfers },
  { name: 'collectives', engine: 'phase', sets: () => validateCollectives('phase') },
  { name: 'collectives', engine: 'event', sets: () => validateCollectives('event') },
  { name: 'barriers', engine: 'phase', sets: validateBarriers },
  { name: 'collectives in kernels', engine: 'phase', sets: validateCollectivesInKernels },
  { name: 'operations', engine: 'phase', sets: validateOperations },
  { name: 'attention runs', engine: 'phase', sets: () => validateReferenceRuns('phase') },
  { name: 'attention runs', engine: 'event', sets: () => validateReferenceRuns('event') },
  { name: 'decode runs', engine: 'phase', sets: () => validateDecode('phase') },
  { name: 'decode runs', engine: 'event', sets: () => validateDecode('event') },
  { name: 'MLA', engine: 'phase', sets: () => validateLatent('phase') },
  { name: 'MLA', engine: 'event', sets: () => validateLatent('event') },
  { name: 'MLA on slides', engine: 'phase', sets: () => [validateLatentSlides()] },
  { name: 'figures of 2025', engine: 'phase', sets: () => validateFigures('phase') },
  { name: 'figures of 2025', engine: 'event', sets: () => validateFigures('event') },
  { name: 'arXiv 2604.02110', engine: 'phase', sets: validatePaper },
  { name: 'arXiv 2604.02110', engine: 'event', sets: validatePaperWithEvents },
  { name: 'Fig. 12', engine: 'phase', sets: validateFig12 },
  { name: 'FLOPs', engine: 'phase', sets: validateFlops },
  { name: 'co-exploration', engine: 'phase', sets: validateExploration },
  { name: 'die area', engine: 'phase', sets: validateArea },
  { name: 'GEMM', engine: 'phase', sets: () => validateGemm('phase') },
  { name: 'GEMM', engine: 'event', sets: () => validateGemm('event') },
  { name: 'vector kernels', engine: 'phase', sets: () => validateVector('phase') },
  { name: 'vector kernels', engine: 'event', sets: () => validateVector('event') },
  { name: 'die to die', engine: 'phase', sets: () => validateWafer('phase') },
  { name: 'die to die', engine: 'event', sets: () => validateWafer('event') },
  { name: 'deployments', engine: 'phase', sets: validateDeployment },
  { name: 'deployments', engine: 'event', sets: validateSimulatedDeployment },
  { name: 'GPU cluster', engine: 'phase', sets: validateCluster },
]

/**
 * Compares the models with every published number that ships with the app. The event engine takes
 * most of a minute for its figures; the phase engine, a second.
 *
 * @param chosen engines whose sets are computed
 */
export function* runValidation(chosen: readonly Engine[] = engines): Simulation<Validation> {
  const asked = sections.filter(({ engine }) => chosen.includes(engine))
  const sets: ValidationSet[] = []
  for (const [index, section] of asked.entries()) {
    const phase = `${section.name}, ${section.engine} engine`
    yield { phase, done: index, total: asked.length }
    sets.push(...section.sets())
  }
  return { modelVersion: MODEL_VERSION, sets, passed: sets.every(set => set.passed) }
}

/** The same at once. */
export const validate = (chosen: readonly Engine[]): Validation => finish(runValidation(chosen))
