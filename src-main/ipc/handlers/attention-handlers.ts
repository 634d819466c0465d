import { runSensitivity } from '#shared/simulate/run-sensitivity.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
import type { Handlers } from '#main/ipc/dispatch.ts'
import { driveSimulation } from '#main/jobs/drive-simulation.ts'

/** Run in this process: an estimate takes less time than to ask a worker for it. */
export const attentionHandlers = (): Pick<
  Handlers,
  'attention:estimate' | 'attention:sensitivity'
> => ({
  'attention:estimate': input => {
    try {
      return { kind: 'estimate', document: estimateAttention(input) }
    } catch (error) {
      if (!(error instanceof InfeasibleError)) throw error
      return { kind: 'infeasible', message: error.message }
    }
  },
  'attention:sensitivity': async input => {
    try {
      const { signal } = new AbortController()
      const document = await driveSimulation(runSensitivity(input), () => undefined, signal)
      return { kind: 'sensitivity', document }
    } catch (error) {
      if (!(error instanceof InfeasibleError)) throw error
      return { kind: 'infeasible', message: error.message }
    }
  },
})
