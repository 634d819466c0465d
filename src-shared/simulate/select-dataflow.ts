import type { Chip } from '#shared/hardware/chip.ts'
import { dataflowsOf, isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { MappingOverrides } from '#shared/mapping/mapping-overrides.ts'
import type { DataflowCandidate, DataflowSelection } from '#shared/schema/attention-document.ts'
import type {
  AttentionInput,
  AttentionRequest,
  ExperimentRequest,
  ExperimentSpec,
} from '#shared/schema/attention-input.ts'
import type { ResultWarning } from '#shared/results/warning.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { resolveWorkload } from '#shared/schema/workload.ts'
import { attentionOutcome, checkGroup, nothingRuns } from '#shared/simulate/attention-outcome.ts'
import { findCrossover } from '#shared/simulate/dataflow-crossover.ts'
import type { Simulation } from '#shared/simulate/simulation.ts'
import { formatPercent } from '#shared/units/format.ts'
import type { AttentionWorkload } from '#shared/workload/attention.ts'

/**
 * Dataflows nearer than this are a toss-up: the phase engine is off by 2.5 % in the mean over the
 * recorded kernels and by 4.8 % over those of arXiv 2505.18824, Fig. 8 (`tessera validate`).
 */
const CLOSE_CHOICE = 0.05

type TimedCandidate = Extract<DataflowCandidate, { readonly cycles: number }>

/**
 * Chooses the dataflow with the shortest predicted runtime, each in the mapping that the tiling rule
 * (with the overrides of the request) gives it; of equals the one that takes less L1, then hardware
 * collectives.
 *
 * The paper, arXiv 2604.02110, leaves a choice between Flash and Flat by input size to future work.
 *
 * @returns the input of the chosen run, and how it was chosen, with the crossover
 * @throws InfeasibleError where no dataflow can run, with the reason of each
 */
export function* selectDataflow(
  request: Omit<AttentionRequest, 'dataflow'>,
): Simulation<{ readonly input: AttentionInput; readonly selection: DataflowSelection }> {
  const chip = resolveChip(request.chip)
  const workload = resolveWorkload(request.workload)
  const candidates = rankDataflows(workload, request.mapping, chip)
  const chosen = fastestOf(candidates)
  const alternative = candidates
    .filter(isTimed)
    .find(({ dataflow }) => isFlash(dataflow) !== isFlash(chosen))
  const crossover = yield* findCrossover(
    workload,
    shape => rankDataflows(shape, request.mapping, chip).find(isTimed)?.dataflow,
  )
  return {
    input: { ...request, dataflow: chosen },
    selection: {
      chosen,
      candidates,
      alternative:
        alternative === undefined
          ? null
          : { dataflow: alternative.dataflow, slowdown: alternative.slowdown },
      crossover,
    },
  }
}

/**
 * An experiment with its automatic dataflow replaced by the chosen one, which then is simulated once
 * even if it was asked for by name, too.
 *
 * @throws InfeasibleError as above
 */
export function resolveExperiment(request: ExperimentRequest): ExperimentSpec {
  const { chip, workload, mapping } = request
  const resolved = request.dataflows.map(dataflow =>
    dataflow === 'auto'
      ? fastestOf(rankDataflows(resolveWorkload(workload), mapping, resolveChip(chip)))
      : dataflow,
  )
  return { ...request, dataflows: [...new Set(resolved)] }
}

const isTimed = (candidate: DataflowCandidate): candidate is TimedCandidate => 'cycles' in candidate

function fastestOf(candidates: readonly DataflowCandidate[]): Dataflow {
  const fastest = candidates.find(isTimed)
  if (fastest !== undefined) return fastest.dataflow
  throw nothingRuns(candidates.flatMap(candidate => ('reason' in candidate ? [candidate] : [])))
}

/** Where the other family is so near that the model cannot tell them apart. */
export function choiceWarnings({ chosen, alternative }: DataflowSelection): ResultWarning[] {
  if (alternative === null || alternative.slowdown >= CLOSE_CHOICE) return []
  return [
    {
      code: 'close-choice',
      message:
        `${alternative.dataflow} is predicted only ${formatPercent(alternative.slowdown, 2)} slower ` +
        `than ${chosen}: less than the model is off by`,
    },
  ]
}

/** All dataflows of the workload, fastest first, those that cannot run last. */
function rankDataflows(
  workload: AttentionWorkload,
  overrides: MappingOverrides,
  chip: Chip,
): DataflowCandidate[] {
  const candidates = dataflowsOf(workload)
  checkGroup(candidates, overrides, chip)
  const outcomes = candidates.toReversed().map(dataflow => ({
    dataflow,
    outcome: attentionOutcome(dataflow, workload, overrides, chip),
  }))
  const timed = outcomes
    .flatMap(({ dataflow, outcome }) =>
      outcome.kind === 'kernel' ? [{ dataflow, result: outcome.kernel.result }] : [],
    )
    .toSorted(
      (a, b) => a.result.cycles - b.result.cycles || a.result.l1PeakBytes - b.result.l1PeakBytes,
    )
  const fastest = timed[0]?.result.cycles ?? 0
  return [
    ...timed.map(({ dataflow, result: { cycles, seconds } }) => ({
      dataflow,
      cycles,
      seconds,
      slowdown: cycles / fastest - 1,
    })),
    ...outcomes.flatMap(({ dataflow, outcome }) =>
      outcome.kind === 'problem' ? [{ dataflow, reason: outcome.message }] : [],
    ),
  ]
}
