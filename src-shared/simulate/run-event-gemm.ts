import type { Chip } from '#shared/hardware/chip.ts'
import { boundOf } from '#shared/models/bound.ts'
import {
  explainBound,
  explainHbmUtilization,
  explainMatrixUtilization,
  explainSeconds,
} from '#shared/models/explain-definitions.ts'
import { eventReport } from '#shared/models/event/event-report.ts'
import { explainEventTime } from '#shared/models/event/explain-event.ts'
import { extrapolationWarnings } from '#shared/models/event/extrapolation-warning.ts'
import { earlySumWarnings } from '#shared/models/event/summa/early-sum-warning.ts'
import {
  defaultSummaOptions,
  SummaSimulation,
  type SummaEventOptions,
} from '#shared/models/event/summa/simulate-summa.ts'
import { gemmRates } from '#shared/models/summa/gemm-rates.ts'
import type { SummaKernel } from '#shared/models/summa/summa-kernel.ts'
import type { EventReport, TimelineOperation } from '#shared/results/event-report.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import type { GemmResult } from '#shared/results/gemm-result.ts'
import type { ResultWarning } from '#shared/results/warning.ts'
import type { EventWatch } from '#shared/simulate/event-run.ts'
import type { Simulation } from '#shared/simulate/simulation.ts'
import { durationOf } from '#shared/units/convert.ts'
import { cycles } from '#shared/units/quantity.ts'

/** What the event engine adds to a GEMM that the phase engine has counted. */
export interface GemmEventOutcome {
  readonly result: GemmResult
  readonly event: EventReport
  readonly timeline: readonly TimelineOperation[]
  readonly explanation: readonly Explanation[]
  readonly warnings: readonly ResultWarning[]
}

/** Events between two moments at which a simulation may be dropped: some milliseconds. */
const EVENTS_PER_STEP = 2000

/**
 * Simulates a GEMM event by event.
 *
 * FLOPs, bytes and mapping are those of the phase engine, which are counted and not modelled; the
 * runtime and what it is spent on come from the simulation.
 *
 * @param kernel the same kernel in the phase engine
 */
export function* runEventGemm(
  kernel: SummaKernel,
  chip: Chip,
  watch: EventWatch = {},
  options: SummaEventOptions = defaultSummaOptions,
): Simulation<GemmEventOutcome> {
  const simulation = new SummaSimulation(kernel.shape, chip, {
    ...options,
    timelineTiles: watch.timelineTiles ?? options.timelineTiles,
  })
  const total = 1000
  while (simulation.run(EVENTS_PER_STEP)) {
    yield { phase: 'events', done: Math.floor(simulation.progress * (total - 1)), total }
  }
  const { machine, simulatedCycles, iterationName } = simulation
  const spent = Math.max(simulation.cycles, kernel.floorCycles)
  const exposed = machine.activity.exposedTime(simulatedCycles)
  const stretch = simulatedCycles > 0 ? spent / simulatedCycles : 1
  const { iterations, simulatedIterations } = simulation
  const counts = { iterations, simulatedIterations }
  const event = eventReport(machine, simulatedCycles, counts, watch.activity)
  const bound = boundOf(exposed)
  const { breakdown } = kernel.result
  const result: GemmResult = {
    ...kernel.result,
    ...gemmRates(cycles(spent), kernel, chip),
    bound,
    breakdown: breakdown.map(({ component }) => ({
      component,
      seconds: durationOf(cycles(exposed[component] * stretch), chip.clock),
    })),
  }
  const phase = { cycles: kernel.result.cycles, floorCycles: kernel.floorCycles }
  const fields = new Set(['cycles', ...breakdown.map(({ component }) => `breakdown.${component}`)])
  return {
    result,
    event,
    timeline: machine.activity.operations,
    explanation: [
      ...explainEventTime(simulation, spent, exposed, phase, chip).filter(({ field }) =>
        fields.has(field),
      ),
      explainSeconds(result, chip),
      explainMatrixUtilization(result, chip),
      explainHbmUtilization(result),
      explainBound(bound, exposed),
    ],
    warnings: [
      ...earlySumWarnings(kernel.shape, chip),
      ...extrapolationWarnings(event, spent, iterationName),
    ],
  }
}
