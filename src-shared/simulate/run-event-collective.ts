import type { Chip } from '#shared/hardware/chip.ts'
import { resultOfParts } from '#shared/models/collectives/collective-kernel.ts'
import { eventReport } from '#shared/models/event/event-report.ts'
import { CollectiveSimulation } from '#shared/models/event/collectives/simulate-collective.ts'
import { term } from '#shared/models/explanation-term.ts'
import type { CollectiveResult } from '#shared/results/collective-result.ts'
import type { EventReport, TimelineOperation } from '#shared/results/event-report.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import type { EventWatch } from '#shared/simulate/event-run.ts'
import type { Simulation } from '#shared/simulate/simulation.ts'
import type { Collective } from '#shared/workload/collective.ts'

/** What the event engine adds to a collective. */
export interface CollectiveEventOutcome {
  readonly result: CollectiveResult
  readonly event: EventReport
  readonly timeline: readonly TimelineOperation[]
  /** Of the parts; the rest follows from them by definition. */
  readonly parts: readonly Explanation[]
}

/** Events between two moments at which a simulation may be dropped: some milliseconds. */
const EVENTS_PER_STEP = 2000

/**
 * Simulates a collective event by event; parts and steps are those of the phase engine.
 *
 * @param phase the same collective in the phase engine
 */
export function* runEventCollective(
  collective: Collective,
  phase: CollectiveResult,
  chip: Chip,
  watch: EventWatch = {},
): Simulation<CollectiveEventOutcome> {
  const simulation = new CollectiveSimulation(collective, chip, watch.timelineTiles)
  const total = 1000
  while (simulation.run(EVENTS_PER_STEP)) {
    yield { phase: 'events', done: Math.floor(simulation.progress * (total - 1)), total }
  }
  const spent = simulation.partCycles(phase.parts.map(({ part }) => part))
  const parts = phase.parts.map((part, index) => ({ ...part, cycles: spent[index] ?? 0 }))
  return {
    result: resultOfParts(parts, collective, chip),
    event: eventReport(
      simulation.machine,
      simulation.cycles,
      { iterations: phase.steps, simulatedIterations: phase.steps },
      watch.activity,
    ),
    timeline: simulation.machine.activity.operations,
    parts: parts.map(({ part, cycles }, index) => ({
      field: `parts.${part}`,
      label: `Cycles of part ${part}`,
      value: cycles,
      unit: 'cycles',
      formula: 'T = T_end − T_begin',
      terms: [
        term('T_begin', 'when the part before had ended', sumOf(spent, index), 'cycles', ENGINE),
        term('T_end', 'when its last tile was through', sumOf(spent, index + 1), 'cycles', ENGINE),
        term('n', 'tiles that take part on the chip', simulation.tiles, 'tiles', 'collective'),
        term(
          'T_phase',
          'the phase engine says, for comparison',
          phase.parts[index]?.cycles ?? 0,
          'cycles',
          'phase model',
        ),
      ],
      source: 'Discrete-event simulation of all tiles and links; step times as in the phase engine',
    })),
  }
}

const ENGINE = 'event engine'

const sumOf = (numbers: readonly number[], count: number): number =>
  numbers.slice(0, count).reduce((sum, one) => sum + one, 0)
