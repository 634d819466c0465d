import type { Chip } from '#shared/hardware/chip.ts'
import type { AttentionKernel } from '#shared/models/attention/attention-kernel.ts'
import { HBM_TURN_BYTES } from '#shared/models/constants.ts'
import { boundOf } from '#shared/models/bound.ts'
import { eventReport } from '#shared/models/event/event-report.ts'
import { AttentionSimulation } from '#shared/models/event/attention/simulate-attention.ts'
import {
  explainBound,
  explainHbmUtilization,
  explainMatrixUtilization,
  explainSeconds,
} from '#shared/models/explain-definitions.ts'
import { explainEventTime } from '#shared/models/event/explain-event.ts'
import { extrapolationWarnings } from '#shared/models/event/extrapolation-warning.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { AttentionResult } from '#shared/results/attention-result.ts'
import { breakdownComponents } from '#shared/results/attention-result.ts'
import type { EventReport, TimelineOperation } from '#shared/results/event-report.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import type { ResultWarning } from '#shared/results/warning.ts'
import type { EventWatch } from '#shared/simulate/event-run.ts'
import type { Simulation } from '#shared/simulate/simulation.ts'
import { durationOf } from '#shared/units/convert.ts'
import { cycles } from '#shared/units/quantity.ts'
import { elementBytes, headDimensions } from '#shared/workload/attention.ts'

/** What the event engine adds to a kernel that the phase engine has counted. */
export interface EventOutcome {
  readonly result: AttentionResult
  readonly event: EventReport
  readonly timeline: readonly TimelineOperation[]
  readonly explanation: readonly Explanation[]
  readonly warnings: readonly ResultWarning[]
}

/** Events between two moments at which a simulation may be dropped: some milliseconds. */
const EVENTS_PER_STEP = 250

/** Events that a simulation should need; a longer kernel is simulated in part. */
const EVENT_BUDGET = 600_000

/** Column blocks of a group that are simulated at least, for a steady state to show. */
const LEAST_ITERATIONS = 12

/**
 * Simulates a kernel event by event.
 *
 * FLOPs, bytes and mapping are those of the phase engine, which are counted and not modelled; the
 * runtime and what it is spent on come from the simulation. A kernel of more column blocks than
 * about 600,000 events allow is simulated in part, and the rest follows in the steady state;
 * the report and a warning say so.
 *
 * @param kernel the same kernel in the phase engine
 */
export function* runEventAttention(
  dataflow: Dataflow,
  kernel: AttentionKernel,
  chip: Chip,
  options: {
    readonly loaders: 'diagonal' | 'edge'
    readonly watch: EventWatch
  },
): Simulation<EventOutcome> {
  const { shape } = kernel
  const total = 1000
  // Tiles and work of a long kernel take their time as well.
  yield { phase: 'events', done: 0, total }
  const simulation = new AttentionSimulation(dataflow, shape, chip, options.loaders, {
    timelineTiles: options.watch.timelineTiles ?? [],
    mostIterations: affordableIterations(kernel),
  })
  yield { phase: 'events', done: 0, total }
  while (simulation.run(EVENTS_PER_STEP)) {
    yield { phase: 'events', done: Math.floor(simulation.progress * (total - 1)), total }
  }
  const { machine, simulatedCycles } = simulation
  const spent = Math.max(simulation.cycles, kernel.time.floorCycles)
  const exposed = machine.activity.exposedTime(simulatedCycles)
  const stretch = simulatedCycles > 0 ? spent / simulatedCycles : 1
  const duration = durationOf(cycles(spent), chip.clock)
  const { result } = kernel
  const rate = (amount: number, peak: number) => Math.min(1, amount / (peak * duration))
  const bound = boundOf(exposed)
  const eventResult: AttentionResult = {
    ...result,
    cycles: spent,
    seconds: duration,
    matrixUtilization: rate(result.usefulFlops, result.peakFlopsPerSecond),
    hbmBandwidthUtilization: rate(
      result.hbmReadBytes + result.hbmWriteBytes,
      result.peakHbmBytesPerSecond,
    ),
    bound,
    breakdown: breakdownComponents.map(component => ({
      component,
      seconds: durationOf(cycles(exposed[component] * stretch), chip.clock),
    })),
  }
  const { iterations, simulatedIterations } = simulation
  const counts = { iterations, simulatedIterations }
  const event = eventReport(machine, simulatedCycles, counts, options.watch.activity)
  return {
    result: eventResult,
    event,
    timeline: machine.activity.operations,
    explanation: [
      ...explainEventTime(
        simulation,
        spent,
        exposed,
        { cycles: result.cycles, floorCycles: kernel.time.floorCycles },
        chip,
      ),
      explainSeconds(eventResult, chip),
      explainMatrixUtilization(eventResult, chip),
      explainHbmUtilization(eventResult),
      explainBound(bound, exposed),
    ],
    warnings: extrapolationWarnings(event, spent, simulation.iterationName),
  }
}

/** Column blocks of a group that the event budget allows. */
function affordableIterations(kernel: AttentionKernel): number {
  const { shape } = kernel
  const { workload, groupX, groupY, activeGroups } = shape
  const element = elementBytes(workload.dtype)
  const { score, value } = headDimensions(workload)
  const loadBytes = (score + value) * shape.sliceCols * element * groupX * activeGroups
  // In a large group most tiles load nothing, and one stands for all of those.
  const tilesOfGroup = Math.min(groupX * groupY, groupX + groupY)
  const eventsPerBlock =
    activeGroups * tilesOfGroup * EVENTS_PER_TILE_AND_BLOCK + loadBytes / HBM_TURN_BYTES
  return Math.max(LEAST_ITERATIONS, Math.floor(EVENT_BUDGET / Math.max(1, eventsPerBlock)))
}

/** About what a tile takes for one column block, without its transfers. Counted on both kinds. */
const EVENTS_PER_TILE_AND_BLOCK = 24
