import { acceptanceText } from '#shared/models/decode/accepted-tokens.ts'
import type { ClusterReading } from '#shared/simulate/explain-cluster.ts'
import type { ResultWarning } from '#shared/results/warning.ts'

/** What the reader of a cluster's numbers should know. */
export function clusterWarnings({ input, model, result }: ClusterReading): ResultWarning[] {
  const { system, deployment } = input
  const { expertParallel, speculativeLength, kvLength } = deployment
  const warnings: ResultWarning[] = []
  const warn = (code: ResultWarning['code'], message: string) => warnings.push({ code, message })
  if (!result.fits) {
    warn('memory-capacity', 'does not fit; timed all the same (deployment.ignoreCapacity)')
  }
  if (kvLength > model.maxLength) {
    warn(
      'outside-validated-regime',
      `kvLength ${String(kvLength)} is beyond the ${String(model.maxLength)} tokens that the model was made for`,
    )
  }
  const idle = system.gpus % expertParallel
  if (idle > 0) {
    warn(
      'idle-chips',
      `${String(idle)} of ${String(system.gpus)} GPUs are in no group; the throughput per GPU counts them`,
    )
  }
  warn(
    'outside-validated-regime',
    'rooflines of whole kernels with measured shares of the peaks: no launches, no imbalance of the experts, no sampling',
  )
  if (!system.loadsHideBehindMath) {
    warn(
      'outside-validated-regime',
      'loadsHideBehindMath false: every load comes before its arithmetic, an estimate from above',
    )
  }
  if (speculativeLength > 1) {
    warn(
      'reference-artefact',
      `drafts are accepted with ${acceptanceText(deployment.acceptance)}, and cost nothing: no MTP module is timed`,
    )
  }
  return warnings
}
