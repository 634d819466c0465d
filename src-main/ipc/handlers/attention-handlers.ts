import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
import type { Handlers } from '#main/ipc/dispatch.ts'

/** Runs in this process: an estimate takes less time than to ask a worker for it. */
export const attentionHandlers = (): Pick<Handlers, 'attention:estimate'> => ({
  'attention:estimate': input => {
    try {
      return { kind: 'estimate', document: estimateAttention(input) }
    } catch (error) {
      if (!(error instanceof InfeasibleError)) throw error
      return { kind: 'infeasible', message: error.message }
    }
  },
})
