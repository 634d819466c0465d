import { MODEL_VERSION } from '#shared/model-version.ts'
import type { SummaEventOptions } from '#shared/models/event/summa/simulate-summa.ts'
import { explainSumma } from '#shared/models/summa/explain-summa.ts'
import { fastestSumma } from '#shared/models/summa/summa-kernel.ts'
import { summaCandidates } from '#shared/models/summa/summa-tiling.ts'
import { summaWarnings } from '#shared/models/summa/summa-warnings.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import type { GemmDocument, GemmInput } from '#shared/schema/gemm-input.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import type { EventRun, EventWatch } from '#shared/simulate/event-run.ts'
import { runEventGemm } from '#shared/simulate/run-event-gemm.ts'
import { finish, InfeasibleError, type Simulation } from '#shared/simulate/simulation.ts'

/**
 * Simulates one SUMMA GEMM at once; with the event engine that may take seconds.
 *
 * @param options of the event engine
 * @throws InfeasibleError where the mapping does not fit the chip
 */
export const estimateGemm = (input: GemmInput, options?: SummaEventOptions): GemmDocument =>
  finish(runGemm(input, {}, options)).document

/**
 * The same as a simulation that can be watched and dropped between its steps. The phase engine
 * chooses among the grids for both engines.
 *
 * @param watch what is to be watched in the event engine
 * @param options of the event engine
 * @throws InfeasibleError as above
 */
export function* runGemm(
  input: GemmInput,
  watch: EventWatch = {},
  options?: SummaEventOptions,
): Simulation<EventRun<GemmDocument>> {
  const total = 2
  yield { phase: 'mapping', done: 0, total }
  const chip = resolveChip(input.chip)
  const candidates = summaCandidates(input.workload, input.mapping, chip)
  if (candidates.kind === 'problem') throw new InfeasibleError(candidates.message)

  yield { phase: 'phases', done: 1, total }
  const kernel = fastestSumma(candidates.shapes, chip)
  const document: GemmDocument = {
    schemaVersion: SCHEMA_VERSION,
    modelVersion: MODEL_VERSION,
    input,
    result: kernel.result,
    explanation: explainSumma(kernel, chip),
    warnings: summaWarnings(kernel, chip),
  }
  if (input.engine === 'phase') return { document, timeline: [] }

  const outcome = yield* runEventGemm(kernel, chip, watch, options)
  const replaced = new Set(outcome.explanation.map(({ field }) => field))
  return {
    document: {
      ...document,
      result: outcome.result,
      explanation: [
        ...outcome.explanation,
        ...document.explanation.filter(({ field }) => !replaced.has(field)),
      ],
      warnings: [...document.warnings, ...outcome.warnings],
      event: outcome.event,
    },
    timeline: outcome.timeline,
  }
}
