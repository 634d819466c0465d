import type { Experiment, Run } from '#shared/ipc/contract.ts'
import { dataflowDescriptions } from '#shared/mapping/dataflow.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'

/** A finished run as a column of a table and a bar of a chart. */
export interface RunView {
  /** Stable in an address: experiment and run. */
  readonly key: string
  readonly label: string
  readonly experiment: Experiment
  readonly run: Run
  readonly document: AttentionDocument
}

/** The runs that have a result, in order; named after their experiment where there are several. */
export function finishedRuns(experiments: readonly Experiment[]): RunView[] {
  return experiments.flatMap(experiment =>
    experiment.runs.flatMap(run => {
      if (run.document === null) return []
      const dataflow = dataflowDescriptions[run.dataflow].label
      const label = experiments.length > 1 ? `${experiment.name} · ${dataflow}` : dataflow
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
