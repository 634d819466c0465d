import type { Chip } from '#shared/hardware/chip.ts'
import { eventReport } from '#shared/models/event/event-report.ts'
import { extrapolationWarnings } from '#shared/models/event/extrapolation-warning.ts'
import { explainEventVector } from '#shared/models/event/vector/explain-event-vector.ts'
import { VectorSimulation } from '#shared/models/event/vector/simulate-vector.ts'
import { timedVectorKernel, type VectorKernel } from '#shared/models/vector/vector-kernel.ts'
import type { EventReport, TimelineOperation } from '#shared/results/event-report.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import type { VectorResult } from '#shared/results/vector-result.ts'
import type { ResultWarning } from '#shared/results/warning.ts'
import type { EventWatch } from '#shared/simulate/event-run.ts'
import type { Simulation } from '#shared/simulate/simulation.ts'

/** What the event engine makes of a vector kernel that the phase engine has counted. */
export interface VectorEventOutcome {
  readonly result: VectorResult
  readonly event: EventReport
  readonly timeline: readonly TimelineOperation[]
  readonly explanation: readonly Explanation[]
  readonly warnings: readonly ResultWarning[]
}

/** Events between two moments at which a simulation may be dropped: some milliseconds. */
const EVENTS_PER_STEP = 2000

/**
 * Simulates a vector kernel event by event.
 *
 * Bytes, operations and mapping are those of the phase engine, which are counted and not modelled;
 * both runtimes and what they are spent on come from the simulation.
 *
 * @param phase the same kernel in the phase engine
 */
export function* runEventVector(
  phase: VectorKernel,
  chip: Chip,
  watch: EventWatch = {},
): Simulation<VectorEventOutcome> {
  const { workload, timing, time } = phase
  const simulation = new VectorSimulation(workload, time.work, chip, {
    stretch: time.stretch,
    timelineTiles: watch.timelineTiles ?? [],
  })
  const total = 1000
  while (simulation.run(EVENTS_PER_STEP)) {
    yield { phase: 'events', done: Math.floor(simulation.progress * (total - 1)), total }
  }
  const { firstTileParts: firstTile, allTilesParts: allTiles } = simulation
  const { iterations, simulatedIterations } = simulation
  const kernel = timedVectorKernel({ ...time, firstTile, allTiles }, workload, timing, chip)
  const event = eventReport(
    simulation.machine,
    simulation.simulatedCycles,
    { iterations, simulatedIterations },
    watch.activity,
  )
  return {
    result: kernel.result,
    event,
    timeline: simulation.machine.activity.operations,
    explanation: explainEventVector(kernel, phase, simulation, chip),
    warnings: extrapolationWarnings(event, kernel.result.cyclesAllTiles, 'tokens', 'tile'),
  }
}
