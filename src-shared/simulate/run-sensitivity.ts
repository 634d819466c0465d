import { MODEL_VERSION } from '#shared/model-version.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import type { ParameterSensitivity, SensitivityStep } from '#shared/results/sensitivity-result.ts'
import type { AttentionInput, AttentionRequest } from '#shared/schema/attention-input.ts'
import { resolveChip, type ChipConfig } from '#shared/schema/chip.ts'
import { withValueAt } from '#shared/schema/form-fields.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import type { SensitivityDocument } from '#shared/schema/sensitivity-document.ts'
import { resolveWorkload } from '#shared/schema/workload.ts'
import { attentionOutcome } from '#shared/simulate/attention-outcome.ts'
import { selectDataflow } from '#shared/simulate/select-dataflow.ts'
import { parameterSteps, type StepChanges } from '#shared/simulate/sensitivity-steps.ts'
import { runAttention } from '#shared/simulate/run-attention.ts'
import type { Simulation } from '#shared/simulate/simulation.ts'

/**
 * How the runtime of a kernel follows each parameter of the chip: the phase engine runs it again with
 * the parameter one step up and one down, and the mapping is chosen anew each time unless it is fixed.
 * One parameter at a time: gains of several do not add up.
 *
 * @throws InfeasibleError where the kernel does not run as it is
 */
export function* runSensitivity(request: AttentionRequest): Simulation<SensitivityDocument> {
  const dataflow =
    request.dataflow === 'auto' ? (yield* selectDataflow(request)).input.dataflow : request.dataflow
  const { chip, workload, mapping } = request
  const input: AttentionInput = {
    ...{ kind: 'attention', engine: 'phase', chip, workload, dataflow, mapping },
  }
  const base = yield* runAttention(input)
  const { seconds, cycles } = base.result
  const parameters: ParameterSensitivity[] = []
  const steps = parameterSteps(input.chip)
  for (const [index, { more, less, ...parameter }] of steps.entries()) {
    yield { phase: parameter.label, done: index, total: steps.length }
    parameters.push({
      ...parameter,
      more: measured(more, input, seconds),
      less: measured(less, input, seconds),
    })
  }
  const ranked = parameters.toSorted(byElasticity)
  return {
    schemaVersion: SCHEMA_VERSION,
    modelVersion: MODEL_VERSION,
    input,
    result: { seconds, cycles, parameters: ranked },
    explanation: explanations(seconds, ranked),
    warnings: base.warnings,
  }
}

function measured(step: StepChanges, input: AttentionInput, before: number): SensitivityStep {
  if (step.kind === 'none') return step
  const { factor, changes } = step
  const chip = changes.reduce<Readonly<Record<string, unknown>>>(
    (config, { path, value }) => withValueAt(config, path.split('.').slice(1), value),
    input.chip,
  ) as ChipConfig
  const outcome = attentionOutcome(
    input.dataflow,
    resolveWorkload(input.workload),
    input.mapping,
    resolveChip(chip),
  )
  if (outcome.kind === 'problem') return { kind: 'none', reason: outcome.message }
  const { seconds } = outcome.kernel.result
  const elasticity = Math.log(before / seconds) / Math.abs(Math.log(factor))
  // Of floating-point noise there is neither gain nor loss.
  const isNoise = Math.abs(seconds / before - 1) < 1e-9
  return {
    kind: 'step',
    ...{ changes, factor, seconds },
    gain: isNoise ? 0 : 1 - seconds / before,
    elasticity: isNoise ? 0 : elasticity,
  }
}

/** What gains most for its step first; what has no step last. */
function byElasticity(a: ParameterSensitivity, b: ParameterSensitivity): number {
  const of = ({ more }: ParameterSensitivity): number =>
    more.kind === 'step' ? more.elasticity : Number.NEGATIVE_INFINITY
  return of(a) === of(b) ? 0 : of(b) - of(a)
}

/** The elasticity of each step up, with its values. */
const explanations = (before: number, ranked: readonly ParameterSensitivity[]): Explanation[] =>
  ranked.flatMap(({ id, label, more }) =>
    more.kind === 'none'
      ? []
      : [
          {
            field: `parameters.${id}.more.elasticity`,
            label: `Elasticity: ${label}`,
            value: more.elasticity,
            unit: '1',
            formula: "E: ln(t / t') / |ln(p)|",
            terms: [
              { symbol: 't', name: 'runtime', value: before, unit: 's', source: 'phase engine' },
              {
                symbol: "t'",
                name: 'runtime after the step',
                value: more.seconds,
                unit: 's',
                source: 'phase engine',
              },
              {
                symbol: 'p',
                name: 'new over present value',
                value: more.factor,
                unit: '1',
                source: 'the step',
              },
            ],
            source: 'numerical derivative of the phase engine, one parameter at a time',
          },
        ],
  )
