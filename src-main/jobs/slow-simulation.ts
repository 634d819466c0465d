import type { Simulation } from '#shared/simulate/simulation.ts'

const longestStepDelayMs = 60_000
const pauseMs = 5

/**
 * How long each step of a simulation shall take, in ms; 0 where nothing is set.
 *
 * @param text value of TESSERA_WORKER_STEP_DELAY_MS
 * @throws RangeError on anything but a whole number from 0 to 60,000
 */
export function parseStepDelay(text: string | undefined): number {
  if (text === undefined || text === '') return 0
  const delayMs = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (delayMs <= longestStepDelayMs) return delayMs
  throw new RangeError(
    `TESSERA_WORKER_STEP_DELAY_MS is "${text}"; it must be a whole number of milliseconds ` +
      `from 0 to ${String(longestStepDelayMs)}`,
  )
}

/**
 * The same simulation, each step of which lasts at least `stepDelayMs`: for tests that watch
 * progress or cancel a run, which the models are too quick for. It yields every few milliseconds
 * while it waits, so that a cancel is heard as soon as in a long simulation.
 */
export function* slowSimulation<Result>(
  simulation: Simulation<Result>,
  stepDelayMs: number,
): Simulation<Result> {
  for (;;) {
    const step = simulation.next()
    if (step.done === true) return step.value
    const endMs = performance.now() + stepDelayMs
    do {
      yield step.value
      if (stepDelayMs > 0) pause(Math.min(pauseMs, stepDelayMs))
    } while (performance.now() < endMs)
  }
}

/** Blocks the thread without burning its processor. */
function pause(durationMs: number): void {
  Atomics.wait(
    new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    0,
    0,
    durationMs,
  )
}
