import type { Output } from '#main/cli/output.ts'
import { driveSimulation } from '#main/jobs/drive-simulation.ts'
import type { Simulation } from '#shared/simulate/simulation.ts'
import { formatPercent } from '#shared/units/format.ts'

/** A run of the event engine takes seconds: it says every second how far it is. */
export async function simulateWithProgress<Result>(
  simulation: Simulation<Result>,
  output: Output,
): Promise<Result> {
  let saidMs = performance.now()
  const never = new AbortController().signal
  return await driveSimulation(
    simulation,
    ({ phase, done, total }) => {
      if (performance.now() - saidMs < 1000) return
      saidMs = performance.now()
      output.note(`${phase}: ${formatPercent(done / total)}`)
    },
    never,
  )
}
