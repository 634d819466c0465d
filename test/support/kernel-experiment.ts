import type { AttentionExperiment, Experiment } from '#shared/ipc/contract.ts'

/** An experiment that is known to be on a kernel. */
export function kernelExperiment(experiment: Experiment): AttentionExperiment {
  if (experiment.kind !== 'attention') throw new Error(`${experiment.name} is a deployment`)
  return experiment
}
