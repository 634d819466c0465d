import type { AttentionExperiment, Experiment, Run } from '#shared/ipc/contract.ts'
import { dataflowDescriptions } from '#shared/mapping/dataflow.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'

/** A finished run as a column of a table and a bar of a chart. */
export interface RunView {
  /** Stable in an address: experiment and dataflow. */
  readonly key: string
  readonly label: string
  readonly experiment: AttentionExperiment
  readonly run: Run
  readonly document: AttentionDocument
}

/** An experiment and the letters that stand for it where there is no room for its name. */
export interface LetteredExperiment<E extends Experiment = AttentionExperiment> {
  readonly letter: string
  readonly experiment: E
}

/** The experiments on kernels among all. */
export const kernelExperiments = (experiments: readonly Experiment[]): AttentionExperiment[] =>
  experiments.filter(experiment => experiment.kind === 'attention')

/** A, B, … Z, AA, AB, … */
export function letterOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last
}

export const lettered = <E extends Experiment>(
  experiments: readonly E[],
): LetteredExperiment<E>[] =>
  experiments.map((experiment, index) => ({ letter: letterOf(index), experiment }))

/** The runs that have a result, in order; with the letter of their experiment if there are several. */
export function finishedRuns(experiments: readonly AttentionExperiment[]): RunView[] {
  return lettered(experiments).flatMap(({ letter, experiment }) =>
    experiment.runs.flatMap(run => {
      if (run.document === null) return []
      const dataflow = dataflowDescriptions[run.dataflow].label
      const label = experiments.length > 1 ? `${letter} · ${dataflow}` : dataflow
      const key = `${String(experiment.id)}:${run.dataflow}`
      return [{ key, label, experiment, run, document: run.document }]
    }),
  )
}

/** The run that others are measured against: the one asked for, else the first. */
export const baselineOf = (
  runs: readonly RunView[],
  key: string | undefined,
): RunView | undefined => runs.find(run => run.key === key) ?? runs[0]
