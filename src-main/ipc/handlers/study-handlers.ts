import { runStudy } from '#shared/simulate/run-study.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
import type { Handlers } from '#main/ipc/dispatch.ts'
import { driveSimulation } from '#main/jobs/drive-simulation.ts'

/** Runs in this process, in slices: other requests are answered in between. */
export const studyHandlers = (): Pick<Handlers, 'study:run'> => ({
  'study:run': async input => {
    try {
      const { signal } = new AbortController()
      const document = await driveSimulation(runStudy(input), () => undefined, signal)
      return { kind: 'study', document }
    } catch (error) {
      if (!(error instanceof InfeasibleError)) throw error
      return { kind: 'infeasible', message: error.message }
    }
  },
})
