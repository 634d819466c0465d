import { setImmediate } from 'node:timers/promises'
import type { Progress, Simulation } from '#shared/simulate/simulation.ts'

/**
 * Runs a simulation in slices, so that messages can arrive in between.
 *
 * @param sliceMs longest that the loop runs before it reports and looks at `signal`, in ms
 * @throws the reason of `signal` once aborted, and whatever the simulation throws
 */
export async function driveSimulation<Result>(
  simulation: Simulation<Result>,
  report: (progress: Progress) => void,
  signal: AbortSignal,
  sliceMs = 50,
): Promise<Result> {
  signal.throwIfAborted()
  let sliceEndMs = performance.now() + sliceMs
  for (;;) {
    const step = simulation.next()
    if (step.done === true) return step.value
    if (performance.now() < sliceEndMs) continue
    report(step.value)
    await setImmediate()
    signal.throwIfAborted()
    sliceEndMs = performance.now() + sliceMs
  }
}
