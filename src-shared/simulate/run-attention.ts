import { MODEL_VERSION } from '#shared/model-version.ts'
import { attentionWarnings } from '#shared/models/attention/attention-warnings.ts'
import { explainAttention } from '#shared/models/attention/explain-attention.ts'
import type { AttentionDocument, DataflowSelection } from '#shared/schema/attention-document.ts'
import type { AttentionInput, AttentionRequest } from '#shared/schema/attention-input.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { resolveWorkload } from '#shared/schema/workload.ts'
import { attentionOutcome } from '#shared/simulate/attention-outcome.ts'
import type { EventRun, EventWatch } from '#shared/simulate/event-run.ts'
import { runEventAttention } from '#shared/simulate/run-event-attention.ts'
import { choiceWarnings, selectDataflow } from '#shared/simulate/select-dataflow.ts'
import { finish, InfeasibleError, type Simulation } from '#shared/simulate/simulation.ts'

/**
 * Simulates one attention kernel at once; with the event engine that may take seconds.
 *
 * @throws InfeasibleError where the mapping does not fit the chip, or the dataflow has no kernel for it
 */
export const estimateAttention = (request: AttentionRequest): AttentionDocument =>
  finish(runAttention(request))

/**
 * The same as a simulation that can be watched and dropped between its steps.
 *
 * Where the dataflow is to be chosen, the document has the input with the chosen one, and how it was
 * chosen: by the phase engine, whichever engine then runs it.
 *
 * @throws InfeasibleError as above
 */
export function* runAttention(request: AttentionRequest): Simulation<AttentionDocument> {
  if (request.dataflow !== 'auto') {
    return (yield* simulateAttention({ ...request, dataflow: request.dataflow })).document
  }
  const { input, selection } = yield* selectDataflow(request)
  return withSelection((yield* simulateAttention(input)).document, selection)
}

/** The document of the chosen dataflow with how it was chosen. */
export const withSelection = (
  document: AttentionDocument,
  selection: DataflowSelection,
): AttentionDocument => ({
  ...document,
  warnings: [...document.warnings, ...choiceWarnings(selection)],
  selection,
})

/**
 * The same, with what is to be watched in the event engine.
 *
 * @throws InfeasibleError as above
 */
export function* simulateAttention(
  input: AttentionInput,
  watch: EventWatch = {},
): Simulation<EventRun<AttentionDocument>> {
  if (input.loaders === 'edge' && input.engine === 'phase') {
    throw new InfeasibleError(
      "loaders: 'edge' needs engine 'event'; the phase engine knows loaders on the diagonal only",
    )
  }
  const total = 3
  yield { phase: 'mapping', done: 0, total }
  const chip = resolveChip(input.chip)
  const workload = resolveWorkload(input.workload)

  yield { phase: 'phases', done: 1, total }
  const phases = attentionOutcome(input.dataflow, workload, input.mapping, chip)
  if (phases.kind === 'problem') throw new InfeasibleError(phases.message)
  const { kernel } = phases

  yield { phase: 'explanation', done: 2, total }
  const document: AttentionDocument = {
    schemaVersion: SCHEMA_VERSION,
    modelVersion: MODEL_VERSION,
    input,
    result: kernel.result,
    explanation: explainAttention(input.dataflow, kernel, chip),
    warnings: attentionWarnings(input.dataflow, kernel, chip),
  }
  if (input.engine === 'phase') return { document, timeline: [] }

  const outcome = yield* runEventAttention(input.dataflow, kernel, chip, {
    loaders: input.loaders ?? 'diagonal',
    watch,
  })
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
