import { createDecodeSweeps } from '#main/ipc/decode-sweeps.ts'
import type { Handlers } from '#main/ipc/dispatch.ts'
import type { Services } from '#main/ipc/services.ts'
import { driveSimulation } from '#main/jobs/drive-simulation.ts'
import { chipRoles } from '#shared/simulate/chip-roles.ts'
import { runDecode } from '#shared/simulate/run-decode.ts'
import { InfeasibleError, type Simulation } from '#shared/simulate/simulation.ts'

/** Both run in this process, in slices: other requests are answered in between. */
export const decodeHandlers = (
  services: Services,
): Pick<Handlers, 'decode:estimate' | 'decode:sweep' | 'decode:cancel' | 'decode:save'> => {
  const sweeps = createDecodeSweeps(progress => {
    services.reportSweep(progress)
  })
  return {
    'decode:estimate': async input =>
      orInfeasible(async () => ({
        kind: 'estimate' as const,
        document: await inSlices(runDecode(input)),
        chips: chipRoles(input),
      })),
    'decode:sweep': async ({ sweepId, input }) =>
      orInfeasible(async () => {
        const document = await sweeps.run(sweepId, input)
        return document === undefined
          ? { kind: 'cancelled' as const }
          : { kind: 'sweep' as const, document }
      }),
    'decode:cancel': ({ sweepId }) => {
      sweeps.cancel(sweepId)
      return null
    },
    'decode:save': async ({ input, name, again }) => {
      const startMs = performance.now()
      const document = await inSlices(runDecode(input))
      const elapsedMs = performance.now() - startMs
      const { experimentId, reused } = services.changeHistory(history =>
        history.recordRun(document, elapsedMs, { again, name }),
      )
      return { experimentId, reused }
    },
  }
}

const inSlices = <Result>(simulation: Simulation<Result>): Promise<Result> =>
  driveSimulation(simulation, () => undefined, new AbortController().signal)

/** What cannot be done is an answer; anything else that goes wrong is an error. */
async function orInfeasible<Answer>(
  work: () => Promise<Answer>,
): Promise<Answer | { kind: 'infeasible'; message: string }> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof InfeasibleError)) throw error
    return { kind: 'infeasible', message: error.message }
  }
}
