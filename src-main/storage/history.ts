import type { Database } from 'better-sqlite3'
import {
  createActivityRepository,
  type ActivityRepository,
} from '#main/storage/activity-repository.ts'
import type { Experiment, ExperimentSummary, OpenRun } from '#shared/ipc/contract.ts'
import { MODEL_VERSION } from '#shared/model-version.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import type { DecodeDocument } from '#shared/schema/decode-input.ts'
import {
  runInputs,
  type AttentionInput,
  type ExperimentSpec,
} from '#shared/schema/attention-input.ts'
import { createDraftRepository, type DraftRepository } from '#main/storage/draft-repository.ts'
import { createExperimentRepository } from '#main/storage/experiment-repository.ts'
import { HistoryError, noSuchExperiment } from '#main/storage/history-error.ts'
import type { HistoryFile } from '#main/storage/history-file.ts'
import { exportExperiments, importExperiments } from '#main/storage/history-transfer.ts'
import type { HostRepository } from '#main/storage/host-repository.ts'
import { inputSha256, runsSha256 } from '#main/storage/run-identity.ts'
import { defaultName, nameOf, subjectOf, withInputOf, withNamesOf } from '#main/storage/subject.ts'
import {
  createRunRepository,
  type KeptDocument,
  type RunOutcome,
  type RunState,
} from '#main/storage/run-repository.ts'

/** A run that waits for a worker. */
interface QueuedRun {
  readonly runId: number
  readonly input: AttentionInput
}

/** A run that this process has not ended yet. */
export interface UnfinishedRun {
  readonly runId: number
  /** In a worker; else it waits for one. */
  readonly isRunning: boolean
}

interface StartedExperiment {
  readonly experimentId: number
  /** There was nothing to run: the experiment was there, its runs over or under way. */
  readonly reused: boolean
  readonly queued: readonly QueuedRun[]
}

interface RecordedRun {
  readonly experimentId: number
  readonly runId: number
  /** The run was in the history already; nothing was stored. */
  readonly reused: boolean
}

interface FoundRun<Input> {
  readonly runId: number
  /** Experiments that hold it, newest first; those in the trash are left out. */
  readonly experimentIds: readonly number[]
  readonly document: DocumentOf<Input>
}

export type DocumentOf<Input> = Input extends AttentionInput ? AttentionDocument : DecodeDocument

interface RecordOptions {
  /** Keep it although the history has this run. */
  readonly again?: boolean
  /** Left out: a name made of what was simulated. */
  readonly name?: string
}

interface ImportSummary {
  readonly importedIds: readonly number[]
  /** Experiments that were there already. */
  readonly skipped: number
}

/**
 * Everything that is kept. Methods that take ids do all or nothing.
 *
 * Throws HistoryError where an experiment does not exist, and errors of SQLite as they are.
 */
export interface History {
  readonly drafts: DraftRepository
  readonly activities: ActivityRepository
  /** Finds or makes the experiment, and queues the runs that have no usable result. */
  start(spec: ExperimentSpec, again: boolean): StartedExperiment
  list(isTrashed: boolean): ExperimentSummary[]
  get(id: number): Experiment
  rename(id: number, name: string): void
  annotate(id: number, note: string, tags: readonly string[]): void
  trash(ids: readonly number[]): void
  restore(ids: readonly number[]): void
  /**
   * Deletes for good what is in the trash; a shared run goes with the last experiment.
   *
   * @returns the runs that went too: those still running are to be stopped
   */
  remove(ids: readonly number[]): number[]
  /** A finished run of this input, made by the present model. */
  findRun<Input extends KeptDocument['input']>(input: Input): FoundRun<Input> | undefined
  /** Keeps a finished run as an experiment of its own. */
  recordRun(document: KeptDocument, elapsedMs: number, options?: RecordOptions): RecordedRun
  /** What waits or runs, in the order in which it was queued; not what is in the trash. */
  openRuns(): OpenRun[]
  runState(runId: number): RunState | undefined
  /** A finished run's result. */
  runDocument(runId: number): KeptDocument | undefined
  runStarted(runId: number): void
  /** @returns false where the run was deleted, or has its result already */
  runEnded(runId: number, outcome: RunOutcome): boolean
  /** Marks runs whose process is gone as crashed. @returns their ids */
  recoverCrashed(): number[]
  /** Takes back what another process has marked as crashed too early. @returns the ids */
  reclaim(unfinished: readonly UnfinishedRun[]): number[]
  /** @param ids of experiments, or 'all' that are not in the trash */
  exportFile(ids: readonly number[] | 'all', appVersion: string): HistoryFile
  /**
   * @param raw content of a file made by `exportFile`, not checked yet
   * @throws HistoryError that names what is wrong with it; then nothing was imported
   */
  importFile(raw: unknown): ImportSummary
}

const crashMessage = 'the process that ran it ended before there was a result'

export function createHistory(db: Database, hosts: HostRepository, now: () => number): History {
  const runs = createRunRepository(db)
  const experiments = createExperimentRepository(db)
  const activities = createActivityRepository(db)
  const atOnce = <Result>(work: () => Result): Result => db.transaction(work).immediate()

  function forAll(ids: readonly number[], change: (id: number) => boolean): void {
    atOnce(() => {
      for (const id of ids) if (!change(id)) throw noSuchExperiment(id)
    })
  }

  function queue(input: AttentionInput, sha256: string): QueuedRun {
    const { kind, dataflow } = input
    const key = { kind, dataflow, inputSha256: sha256, modelVersion: MODEL_VERSION }
    return { runId: runs.addQueued(key, hosts.ownId()), input }
  }

  function start(spec: ExperimentSpec, again: boolean): StartedExperiment {
    const inputs = runInputs(spec).map(input => ({ input, sha256: inputSha256(input) }))
    const identity = runsSha256(inputs.map(({ sha256 }) => sha256))
    const existingId = again ? undefined : experiments.findByRuns(identity)
    if (existingId !== undefined) return resume(existingId, inputs)
    const queued: QueuedRun[] = []
    const runIds = inputs.map(({ input, sha256 }) => {
      const reusable = again ? undefined : runs.findReusable(sha256, hosts.knownId())
      if (reusable !== undefined) return reusable
      const run = queue(input, sha256)
      queued.push(run)
      return run.runId
    })
    const experimentId = experiments.add({
      name: spec.name === '' ? defaultName(spec) : spec.name,
      note: '',
      tags: [],
      createdAtMs: now(),
      subject: { kind: 'attention', spec },
      runsSha256: identity,
      runIds,
    })
    return { experimentId, reused: false, queued }
  }

  /** Runs again what was broken off: a failed run would fail again, the others stand. */
  function resume(
    experimentId: number,
    inputs: readonly { readonly input: AttentionInput; readonly sha256: string }[],
  ): StartedExperiment {
    const queued: QueuedRun[] = []
    for (const run of runs.ofExperiment(experimentId)) {
      if (run.status !== 'cancelled' && run.status !== 'crashed') continue
      const planned = inputs.find(({ sha256 }) => sha256 === run.inputSha256)
      if (planned === undefined) continue
      const fresh = queue(planned.input, planned.sha256)
      experiments.replaceRun(experimentId, run.id, fresh.runId)
      runs.deleteUnlinked([run.id])
      queued.push(fresh)
    }
    return { experimentId, reused: queued.length === 0, queued }
  }

  function recordRun(
    document: KeptDocument,
    elapsedMs: number,
    { again = false, name = '' }: RecordOptions,
  ): RecordedRun {
    const { input, modelVersion } = document
    const sha256 = inputSha256(input, modelVersion)
    const identity = runsSha256([sha256])
    const existingId = again ? undefined : experiments.findByRuns(identity)
    const [existingRunId] = existingId === undefined ? [] : experiments.runIds(existingId)
    if (existingId !== undefined && existingRunId !== undefined) {
      if (runs.state(existingRunId)?.status === 'done') {
        return { experimentId: existingId, runId: existingRunId, reused: true }
      }
    }
    const doneId = again ? undefined : runs.findDone(sha256)
    const dataflow = input.kind === 'attention' ? input.dataflow : input.deployment.attention
    const key = { kind: input.kind, dataflow, inputSha256: sha256, modelVersion }
    const outcome = { status: 'done', document, elapsedMs } as const
    const runId = doneId ?? runs.addEnded(key, outcome, Math.round(now() - elapsedMs))
    const subject = subjectOf(input)
    const experimentId = experiments.add({
      name: name === '' ? nameOf(subject) : name,
      note: '',
      tags: [],
      createdAtMs: now(),
      subject,
      runsSha256: identity,
      runIds: [runId],
    })
    return { experimentId, runId, reused: false }
  }

  function get(id: number): Experiment {
    const head = experiments.get(id)
    if (head === undefined) throw noSuchExperiment(id)
    return head.kind === 'attention'
      ? { ...head, runs: runs.ofExperiment(id).map(run => withNamesOf(head.spec, run)) }
      : { ...head, runs: runs.ofDeployment(id).map(run => withInputOf(head.input, run)) }
  }

  function remove(id: number): number[] {
    const head = experiments.get(id)
    if (head === undefined) throw noSuchExperiment(id)
    if (head.trashedAtMs === null) {
      throw new HistoryError(
        'bad-input',
        `experiment ${String(id)} is not in the trash; only what is there can be deleted`,
      )
    }
    const runIds = experiments.runIds(id)
    experiments.remove(id)
    return runs.deleteUnlinked(runIds)
  }

  return {
    drafts: createDraftRepository(db, now),
    activities,
    start: (spec, again) => atOnce(() => start(spec, again)),
    list: isTrashed => experiments.list(isTrashed),
    get,
    rename(id, name) {
      forAll([id], one => experiments.rename(one, name))
    },
    annotate(id, note, tags) {
      forAll([id], one => experiments.annotate(one, note, [...new Set(tags)]))
    },
    trash(ids) {
      forAll(ids, id => experiments.setTrashed(id, now()))
    },
    restore(ids) {
      forAll(ids, id => experiments.setTrashed(id, null))
    },
    remove: ids => atOnce(() => [...new Set(ids)].flatMap(remove)),
    findRun<Input extends KeptDocument['input']>(input: Input) {
      const runId = runs.findDone(inputSha256(input))
      const found = runId === undefined ? undefined : runs.document(runId)
      if (runId === undefined || found === undefined) return undefined
      // The kind is part of the input and so of what was looked for.
      const document = { ...found, input } as unknown as DocumentOf<Input>
      return { runId, experimentIds: experiments.linking(runId), document }
    },
    recordRun: (document, elapsedMs, options = {}) =>
      atOnce(() => recordRun(document, elapsedMs, options)),
    openRuns: () => runs.open(),
    runState: runId => runs.state(runId),
    runDocument: runId => runs.document(runId),
    runStarted(runId) {
      runs.markStarted(runId, now())
    },
    runEnded: (runId, outcome) =>
      atOnce(() => {
        const isKept = runs.end(runId, outcome)
        if (isKept && outcome.status === 'done' && outcome.activity !== undefined) {
          activities.keep(runId, outcome.activity)
        }
        return isKept
      }),
    recoverCrashed() {
      const dead = hosts.dead()
      if (dead.length === 0 && !runs.hasOrphans()) return [] // nothing to write
      return atOnce(() => {
        const crashed = runs.crashAbandoned(dead, crashMessage)
        hosts.remove(dead)
        return crashed
      })
    },
    reclaim: unfinished =>
      atOnce(() =>
        unfinished
          .filter(({ runId, isRunning }) =>
            runs.reclaim(runId, isRunning ? 'running' : 'queued', hosts.ownId()),
          )
          .map(({ runId }) => runId),
      ),
    exportFile: (ids, appVersion) =>
      exportExperiments((ids === 'all' ? experiments.ids() : ids).map(get), appVersion, now()),
    importFile: raw => importExperiments(raw, { db, runs, experiments }),
  }
}
