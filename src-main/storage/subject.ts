import type { DecodeRun, Run } from '#shared/ipc/contract.ts'
import { dataflowDescriptions } from '#shared/mapping/dataflow.ts'
import type { ExperimentSpec } from '#shared/schema/attention-input.ts'
import type { DecodeInput } from '#shared/schema/decode-input.ts'
import type { KeptDocument } from '#main/storage/run-repository.ts'

/** What an experiment simulates: the dataflows of a kernel, or a deployment. */
export type Subject =
  | { readonly kind: 'attention'; readonly spec: ExperimentSpec }
  | { readonly kind: 'decode'; readonly input: DecodeInput }

/** Names are no part of a run's identity: a shared document bears the names of this experiment. */
export function withNamesOf(spec: ExperimentSpec, run: Run): Run {
  if (run.document === null) return run
  const { input } = run.document
  const chip = { ...input.chip, name: spec.chip.name }
  const workload = { ...input.workload, name: spec.workload.name }
  return { ...run, document: { ...run.document, input: { ...input, chip, workload } } }
}

/** The same of a deployment, whose input is kept with the experiment as a whole. */
export const withInputOf = (input: DecodeInput, run: DecodeRun): DecodeRun =>
  run.document === null ? run : { ...run, document: { ...run.document, input } }

/** What a run alone is an experiment on. */
export function subjectOf(input: KeptDocument['input']): Subject {
  if (input.kind === 'decode') return { kind: 'decode', input }
  const { chip, workload, mapping, dataflow, engine, loaders } = input
  const spec: ExperimentSpec = {
    name: '',
    chip,
    workload,
    mapping,
    ...(engine === 'phase' ? {} : { engine }),
    ...(loaders === undefined ? {} : { loaders }),
    dataflows: [dataflow],
  }
  return { kind: 'attention', spec }
}

/** What an experiment is called that was given no name. */
export function nameOf(subject: Subject): string {
  if (subject.kind === 'attention') return defaultName(subject.spec)
  const { system, model, deployment } = subject.input
  const { expertParallel, pipelineParallel, batchPerChip, attention } = deployment
  const split = `EP${String(expertParallel)}-PP${String(pipelineParallel)}`
  return `${model.name} on ${system.name}, ${split}, batch ${String(batchPerChip)}, ${attention}`
}

export function defaultName({ chip, workload, dataflows }: ExperimentSpec): string {
  const [first] = dataflows
  const suffix =
    first !== undefined && dataflows.length === 1 ? `, ${dataflowDescriptions[first].label}` : ''
  return `${workload.name} on ${chip.name}${suffix}`
}
