import { driveSimulation } from '#main/jobs/drive-simulation.ts'
import type { SweepProgress } from '#shared/ipc/contract.ts'
import type { PlanDocument, PlanInput } from '#shared/schema/plan-input.ts'
import { planDecode } from '#shared/simulate/plan-decode.ts'

/** The sweeps that pages wait for, by the name that each page gave its own. */
export interface DecodeSweeps {
  /**
   * @returns undefined where it was cancelled, by hand or by another one of its name
   * @throws InfeasibleError where there is nothing to search
   */
  run(sweepId: string, input: PlanInput): Promise<PlanDocument | undefined>
  /** Does nothing where it is over, or there was none. */
  cancel(sweepId: string): void
}

/** @param report is told of progress, at most every few dozen milliseconds */
export function createDecodeSweeps(report: (progress: SweepProgress) => void): DecodeSweeps {
  const running = new Map<string, AbortController>()
  return {
    async run(sweepId, input) {
      running.get(sweepId)?.abort()
      const controller = new AbortController()
      running.set(sweepId, controller)
      try {
        return await driveSimulation(
          planDecode(input),
          ({ done, total }) => {
            report({ sweepId, done, total })
          },
          controller.signal,
        )
      } catch (error) {
        if (controller.signal.aborted) return undefined
        throw error
      } finally {
        if (running.get(sweepId) === controller) running.delete(sweepId)
      }
    },
    cancel(sweepId) {
      running.get(sweepId)?.abort()
    },
  }
}
