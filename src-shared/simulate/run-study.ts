import { MODEL_VERSION } from '#shared/model-version.ts'
import type { StudyResult } from '#shared/results/study-result.ts'
import type { StudyDocument, StudyId, StudyRequest } from '#shared/schema/study-input.ts'
import { runCollectivesStudy } from '#shared/simulate/studies/collectives-study.ts'
import { runGroupScaleStudy } from '#shared/simulate/studies/group-scale-study.ts'
import { runSliceStudy } from '#shared/simulate/studies/slice-study.ts'
import type { ChipConfig } from '#shared/schema/chip.ts'
import type { Simulation } from '#shared/simulate/simulation.ts'
import { chipPresets } from '#shared/presets/presets.ts'

interface Study {
  /** Preset of the chip behind the published figure. */
  readonly chip: string
  readonly run: (chip: ChipConfig, isPublished: boolean) => Simulation<StudyResult>
}

const studies: Readonly<Record<StudyId, Study>> = {
  'group-scale': { chip: 'flat-2025', run: runGroupScaleStudy },
  slice: { chip: 'flat-2026', run: runSliceStudy },
  collectives: { chip: 'collectives-256b', run: runCollectivesStudy },
}

/**
 * One of the studies of the FlatAttention papers with the phase engine, on the chip of the paper or on
 * another; published numbers stand beside the points on the chip of the paper only.
 *
 * @throws InfeasibleError where the chip cannot run it
 */
export function* runStudy({ study, chip }: StudyRequest): Simulation<StudyDocument> {
  const { chip: presetId, run } = studies[study]
  const own = chip ?? chipPresets.find(({ id }) => id === presetId)?.config
  if (own === undefined) throw new Error(`no chip preset ${presetId}`)
  const result = yield* run(own, chip === undefined)
  return { modelVersion: MODEL_VERSION, chipName: own.name, result }
}
