import { MODEL_VERSION } from '#shared/model-version.ts'
import { collectiveKernel } from '#shared/models/collectives/collective-kernel.ts'
import { collectiveWarnings } from '#shared/models/collectives/collective-warnings.ts'
import { explainCollective } from '#shared/models/collectives/explain-collective.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import {
  resolveCollective,
  type CollectiveDocument,
  type CollectiveInput,
} from '#shared/schema/collective-input.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import type { EventRun, EventWatch } from '#shared/simulate/event-run.ts'
import { runEventCollective } from '#shared/simulate/run-event-collective.ts'
import { finish, type Simulation } from '#shared/simulate/simulation.ts'

/** Simulates one collective at once; with the event engine that may take seconds. */
export const estimateCollective = (input: CollectiveInput): CollectiveDocument =>
  finish(runCollective(input)).document

/**
 * The same as a simulation that can be watched and dropped between its steps.
 *
 * @param watch what is to be watched in the event engine
 */
export function* runCollective(
  input: CollectiveInput,
  watch: EventWatch = {},
): Simulation<EventRun<CollectiveDocument>> {
  yield { phase: 'formulas', done: 0, total: 1 }
  const chip = resolveChip(input.chip)
  const collective = resolveCollective(input.collective)
  const result = collectiveKernel(collective, chip)
  const document: CollectiveDocument = {
    schemaVersion: SCHEMA_VERSION,
    modelVersion: MODEL_VERSION,
    input,
    result,
    explanation: explainCollective(collective, result, chip),
    warnings: collectiveWarnings(collective, chip),
  }
  if (input.engine === 'phase') return { document, timeline: [] }

  const outcome = yield* runEventCollective(collective, result, chip, watch)
  return {
    document: {
      ...document,
      result: outcome.result,
      explanation: explainCollective(collective, outcome.result, chip, outcome.parts),
      event: outcome.event,
    },
    timeline: outcome.timeline,
  }
}
