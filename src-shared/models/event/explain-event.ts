import type { Chip } from '#shared/hardware/chip.ts'
import { term } from '#shared/models/explanation-term.ts'
import type { BreakdownComponent } from '#shared/results/attention-result.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import { durationOf } from '#shared/units/convert.ts'
import { cycles } from '#shared/units/quantity.ts'

/** What an explanation needs to know of a simulation. */
interface SimulatedTime {
  /** What an iteration is: 'column blocks'. */
  readonly iterationName: string
  readonly iterations: number
  readonly simulatedIterations: number
  readonly simulatedCycles: number
  readonly cycles: number
}

const SOURCE =
  'Discrete-event simulation of all tiles, links and channels; step times as in the phase engine'

/** How runtime and breakdown came about in the event engine. */
export function explainEventTime(
  simulation: SimulatedTime,
  spent: number,
  exposed: Readonly<Record<BreakdownComponent, number>>,
  phase: { readonly cycles: number; readonly floorCycles: number },
  chip: Pick<Chip, 'clock'>,
): Explanation[] {
  const { simulatedCycles, iterationName } = simulation
  const stretch = simulatedCycles > 0 ? spent / simulatedCycles : 1
  return [
    {
      field: 'cycles',
      label: 'Runtime in cycles',
      value: spent,
      unit: 'cycles',
      formula: 'T = max(T_sim + T_rest, T_min)',
      terms: [
        term('T_sim', 'simulated part', simulatedCycles, 'cycles', 'event engine'),
        term(
          'T_rest',
          `remaining ${iterationName} in the steady state`,
          simulation.cycles - simulatedCycles,
          'cycles',
          'event engine',
        ),
        term(
          'n_sim',
          `${iterationName} simulated`,
          simulation.simulatedIterations,
          '1',
          'event engine',
        ),
        term('n', `${iterationName} of the busiest group`, simulation.iterations, '1', 'mapping'),
        term(
          'T_phase',
          'the phase engine says, for comparison',
          phase.cycles,
          'cycles',
          'phase model',
        ),
        term(
          'T_min',
          'all bytes at the peak of the channels',
          phase.floorCycles,
          'cycles',
          'chip.hbm, traffic',
        ),
      ],
      source: SOURCE,
    },
    ...Object.entries(exposed).map(([component, part]) => ({
      field: `breakdown.${component}`,
      label: `Exposed time: ${component}`,
      value: durationOf(cycles(part * stretch), chip.clock),
      unit: 's',
      formula: 't = s · T / f',
      terms: [
        term('T', 'mean over the sampled tiles, in cycles', part, 'cycles', 'event engine'),
        term('s', 'runtime over simulated part', stretch, '1', 'event engine'),
        term('f', 'clock', chip.clock, 'Hz', 'chip.clockGHz'),
      ],
      source: SOURCE,
    })),
  ]
}
