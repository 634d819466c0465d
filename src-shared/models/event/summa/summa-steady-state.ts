import type { SimulatedPart } from '#shared/models/event/summa/summa-program.ts'

/** Steps at the end of a panel over which the steady state is averaged. */
export const STEADY_STEPS = 8

/** When the steps of the panels of one group were done: panel after panel. */
export type StepTimes = readonly (readonly number[])[]

/**
 * Cycles that a group's panels and steps take that were not simulated.
 *
 *   T_rest = Σ (steps − s) · t_p + (panels − p) · (T_p − T_p−1 + (steps − s) · t_p)
 *
 * p, s   panels and steps of each that were simulated
 * t_p    mean time of the last 8 of the simulated steps of panel p: nothing is stored in them
 * T_p    end of the simulated part of panel p; the second panel is the first that stores
 *
 * The sum runs over the simulated panels. Where all steps of all panels were simulated it is 0.
 *
 * Holds when: the steps of a panel that follow the stores take as long as each other.
 * Leaves out: refreshes that may no longer be put off, and blocks at the rim that are smaller.
 * Checked by: test/src-shared/models/event/summa/summa-steady-state.test.ts
 */
export function remainingCycles(times: StepTimes, whole: SimulatedPart): number {
  let added = 0
  let lastPanel = 0
  let before = 0
  for (const steps of times) {
    const end = steps.at(-1) ?? 0
    const left = Math.max(0, whole.steps - steps.length)
    const window = Math.min(STEADY_STEPS, steps.length - 1)
    const step = window > 0 ? (end - (steps.at(-1 - window) ?? end)) / window : end - before
    added += left * step
    lastPanel = end - before + left * step
    before = end
  }
  return added + Math.max(0, whole.panels - times.length) * lastPanel
}
