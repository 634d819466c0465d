/** What a simulation says at each point where it may be paused, watched or dropped. */
export interface Progress {
  readonly phase: string
  readonly done: number
  readonly total: number
}

/** Pure and synchronous: the caller's loop decides pace, reporting and cancelling. */
export type Simulation<Result> = Generator<Progress, Result, void>

/** Runs a simulation to its end, unwatched. */
export function finish<Result>(simulation: Simulation<Result>): Result {
  for (;;) {
    const step = simulation.next()
    if (step.done === true) return step.value
  }
}

/** The input is well formed, but what it asks for cannot be done; the message has the numbers. */
export class InfeasibleError extends Error {
  override readonly name = 'InfeasibleError'
}
