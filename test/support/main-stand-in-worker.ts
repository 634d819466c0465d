/** A worker whose simulation behaves, or not, as the name of the workload says. */
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { InfeasibleError, type Simulation } from '#shared/simulate/simulation.ts'
import { connectParent } from '#main/jobs/parent-endpoint.ts'
import { serveWorker, type FinishedRun } from '#main/jobs/serve-worker.ts'

const spinUntil = (endMs: number): void => {
  while (performance.now() < endMs);
}

function* simulate(input: AttentionInput): Simulation<FinishedRun> {
  switch (input.workload.name) {
    case 'endless':
      for (let done = 0; ; done++) {
        spinUntil(performance.now() + 2)
        yield { phase: 'spin', done, total: done + 1 }
      }
    case 'deaf':
      for (;;) spinUntil(performance.now() + 1000)
    case 'exits':
      return process.exit(3)
    case 'throws-later':
      setTimeout(() => {
        throw new Error('out of cheese')
      }, 0)
      for (let done = 0; ; done++) {
        spinUntil(performance.now() + 2)
        yield { phase: 'spin', done, total: done + 1 }
      }
    case 'infeasible':
      throw new InfeasibleError('needs 512 KiB of L1, the tile has 384 KiB')
    case 'broken':
      throw new RangeError('not a finite quantity: NaN')
    default:
      return { document: estimateAttention(input) }
  }
}

serveWorker(connectParent(), simulate)
