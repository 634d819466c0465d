import type { Database } from 'better-sqlite3'
import type { DecodeRun, Experiment, Run } from '#shared/ipc/contract.ts'
import { runInputs } from '#shared/schema/attention-input.ts'
import { issueLines } from '#shared/schema/issue-text.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { documentProblems } from '#main/storage/check-document.ts'
import type { ExperimentRepository } from '#main/storage/experiment-repository.ts'
import { HistoryError } from '#main/storage/history-error.ts'
import {
  historyFileSchema,
  type HistoryFile,
  type HistoryFileAttention,
  type HistoryFileDecode,
  type HistoryFileDecodeRun,
  type HistoryFileExperiment,
  type HistoryFileRun,
} from '#main/storage/history-file.ts'
import { inputSha256, runsSha256 } from '#main/storage/run-identity.ts'
import type {
  KeptDocument,
  RunKey,
  RunOutcome,
  RunRepository,
} from '#main/storage/run-repository.ts'

/** One JSON document with the experiments and everything that they hold. */
export function exportExperiments(
  experiments: readonly Experiment[],
  appVersion: string,
  exportedAtMs: number,
): HistoryFile {
  return {
    format: 'tessera-history',
    schemaVersion: SCHEMA_VERSION,
    appVersion,
    exportedAtMs,
    experiments: experiments.map(exportExperiment),
  }
}

function exportExperiment(experiment: Experiment): HistoryFileExperiment {
  const { name, note, tags, createdAtMs } = experiment
  const head = { name, note, tags, createdAtMs }
  return experiment.kind === 'attention'
    ? { ...head, kind: 'attention', spec: experiment.spec, runs: experiment.runs.map(exportRun) }
    : {
        ...head,
        kind: 'decode',
        input: experiment.input,
        runs: experiment.runs.flatMap(exportDecodeRun),
      }
}

/** A deployment is kept when it has been simulated, so its run is always done. */
function exportDecodeRun(run: DecodeRun): HistoryFileDecodeRun[] {
  const { inputSha256, modelVersion, startedAtMs, elapsedMs, document } = run
  if (document === null) return []
  const head = { inputSha256, modelVersion, startedAtMs }
  return [{ ...head, status: 'done', elapsedMs: elapsedMs ?? 0, document }]
}

function exportRun(run: Run): HistoryFileRun {
  const { dataflow, inputSha256, modelVersion, startedAtMs, elapsedMs, document } = run
  const head = { dataflow, inputSha256, modelVersion, startedAtMs }
  if (document !== null) return { ...head, status: 'done', elapsedMs: elapsedMs ?? 0, document }
  switch (run.status) {
    case 'failed':
    case 'cancelled':
    case 'crashed':
      return { ...head, status: run.status, elapsedMs, message: run.message }
    case 'queued':
    case 'running':
    case 'done': // without a document there is nothing to carry on
      return {
        ...head,
        status: 'crashed',
        elapsedMs: null,
        message: 'it was not over when the history was exported',
      }
  }
}

interface Target {
  readonly db: Database
  readonly runs: RunRepository
  readonly experiments: ExperimentRepository
}

/**
 * Adds the experiments of a file that are not in the history yet, all of them or none.
 *
 * An experiment is there already if one with the same runs and the same moment of creation is,
 * outside the trash. Finished runs that the history has are linked, not stored twice.
 *
 * @throws HistoryError that names what is wrong with the file
 */
export function importExperiments(
  raw: unknown,
  target: Target,
): { importedIds: number[]; skipped: number } {
  const parsed = historyFileSchema.safeParse(raw)
  if (!parsed.success) throw refusal(issueLines(parsed.error, raw, { schema: historyFileSchema }))
  const { experiments } = parsed.data
  const problems = experiments.flatMap((experiment, index) =>
    contradictions(experiment).map(text => `experiments[${String(index)}].${text}`),
  )
  if (problems.length > 0) throw refusal(problems)
  return target.db
    .transaction(() => {
      const importedIds: number[] = []
      for (const experiment of experiments) {
        const id = importExperiment(experiment, target)
        if (id !== undefined) importedIds.push(id)
      }
      return { importedIds, skipped: experiments.length - importedIds.length }
    })
    .immediate()
}

const shownProblems = 10

function refusal(lines: readonly string[]): HistoryError {
  const more = lines.length - shownProblems
  const shown = lines.slice(0, shownProblems)
  if (more > 0) shown.push(`and ${String(more)} more`)
  return new HistoryError('bad-input', shown.join('\n'))
}

/** What the schema cannot see: runs that do not belong to their experiment or their input. */
const contradictions = (experiment: HistoryFileExperiment): string[] =>
  experiment.kind === 'attention' ? kernelProblems(experiment) : deploymentProblems(experiment)

function kernelProblems({ spec, runs }: HistoryFileAttention): string[] {
  const inputs = runInputs(spec)
  const texts: string[] = []
  runs.forEach((run, index) => {
    const input = inputs.find(({ dataflow }) => dataflow === run.dataflow)
    const at = `runs[${String(index)}]`
    if (input === undefined) {
      texts.push(`${at}.dataflow: must be one of ${spec.dataflows.join(', ')}, got ${run.dataflow}`)
      return
    }
    texts.push(...runProblems(run, input, at, ` for ${run.dataflow}`))
  })
  const repeated = runs.length - new Set(runs.map(({ dataflow }) => dataflow)).size
  if (repeated > 0) texts.push('runs: must have one run for each dataflow, got several for one')
  return texts
}

const deploymentProblems = ({ input, runs }: HistoryFileDecode): string[] =>
  runs.flatMap((run, index) => runProblems(run, input, `runs[${String(index)}]`, ''))

function runProblems(
  run: HistoryFileRun | HistoryFileDecodeRun,
  input: KeptDocument['input'],
  at: string,
  which: string,
): string[] {
  const texts: string[] = []
  const expected = inputSha256(input, run.modelVersion)
  if (run.inputSha256 !== expected) {
    texts.push(
      `${at}.inputSha256: must be ${expected} for this input and model version, ` +
        `got ${run.inputSha256}`,
    )
  }
  if (run.status !== 'done') return texts
  const { document } = run
  if (document.modelVersion !== run.modelVersion) {
    texts.push(
      `${at}.document.modelVersion: must be ${run.modelVersion}, got ${document.modelVersion}`,
    )
  } else if (inputSha256(document.input, run.modelVersion) !== expected) {
    texts.push(`${at}.document.input: must be the input of the experiment${which}`)
  } else texts.push(...documentProblems(document).map(text => `${at}.document${text}`))
  return texts
}

function importExperiment(experiment: HistoryFileExperiment, target: Target): number | undefined {
  const { name, note, tags, createdAtMs, runs } = experiment
  const identity = runsSha256(runs.map(run => run.inputSha256))
  if (target.experiments.exists(identity, createdAtMs)) return undefined
  const runIds =
    experiment.kind === 'attention'
      ? experiment.runs.map(run =>
          importRun(run, { kind: 'attention', dataflow: run.dataflow }, target.runs),
        )
      : experiment.runs.map(run =>
          importRun(
            run,
            { kind: 'decode', dataflow: experiment.input.deployment.attention },
            target.runs,
          ),
        )
  return target.experiments.add({
    name,
    note,
    tags,
    createdAtMs,
    subject:
      experiment.kind === 'attention'
        ? { kind: 'attention', spec: experiment.spec }
        : { kind: 'decode', input: experiment.input },
    runsSha256: identity,
    runIds,
  })
}

function importRun(
  run: HistoryFileRun | HistoryFileDecodeRun,
  what: Pick<RunKey, 'kind' | 'dataflow'>,
  runs: RunRepository,
): number {
  const existing = run.status === 'done' ? runs.findDone(run.inputSha256) : undefined
  const { inputSha256, modelVersion } = run
  const outcome: RunOutcome = run
  return existing ?? runs.addEnded({ ...what, inputSha256, modelVersion }, outcome, run.startedAtMs)
}
