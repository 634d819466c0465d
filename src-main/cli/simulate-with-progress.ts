import type { Output } from '#main/cli/output.ts'
import { driveSimulation } from '#main/jobs/drive-simulation.ts'
import type { Progress, Simulation } from '#shared/simulate/simulation.ts'
import { formatPercent } from '#shared/units/format.ts'

const reportEveryMs = 1000

const share = ({ phase, done, total }: Progress): string =>
  `${phase}: ${formatPercent(done / total)}`

/**
 * Runs a simulation to its end, and says every second how far it is.
 *
 * @param describe the progress in words; a percentage of the phase where left out
 */
export async function simulateWithProgress<Result>(
  simulation: Simulation<Result>,
  output: Output,
  describe: (progress: Progress) => string = share,
): Promise<Result> {
  let saidMs = performance.now()
  const never = new AbortController().signal
  return await driveSimulation(
    simulation,
    progress => {
      if (performance.now() - saidMs < reportEveryMs) return
      saidMs = performance.now()
      output.note(describe(progress))
    },
    never,
  )
}
