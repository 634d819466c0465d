import type { Database } from 'better-sqlite3'
import type { DecodeRun, OpenRun, Run } from '#shared/ipc/contract.ts'
import type { RunStatus } from '#shared/ipc/job-event.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { MODEL_VERSION } from '#shared/model-version.ts'
import type { EventActivity } from '#shared/results/event-activity.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import type { DecodeDocument } from '#shared/schema/decode-input.ts'
import type { DecodeAttention } from '#shared/schema/deployment.ts'

/** What is kept of a run that is done. */
export type KeptDocument = AttentionDocument | DecodeDocument

/** What a run is before anything has happened to it. */
export interface RunKey {
  readonly kind: KeptDocument['input']['kind']
  /** Of a deployment its kernel of attention. */
  readonly dataflow: Dataflow | DecodeAttention
  readonly inputSha256: string
  readonly modelVersion: string
}

/** How a run ended. */
export type RunOutcome =
  | {
      readonly status: 'done'
      readonly document: KeptDocument
      readonly elapsedMs: number
      /** Of a run of the event engine; kept beside the document. */
      readonly activity?: EventActivity | undefined
    }
  | {
      readonly status: 'failed' | 'cancelled' | 'crashed'
      readonly message: string | null
      readonly elapsedMs?: number | null
    }

/** Whether a run waits or runs, and in which process. */
export interface RunState {
  readonly status: RunStatus
  readonly hostId: number | null
}

export interface RunRepository {
  addQueued(key: RunKey, hostId: number): number
  /** A run that is over already: made by the command line, or imported. */
  addEnded(key: RunKey, outcome: RunOutcome, startedAtMs: number | null): number
  markStarted(id: number, startedAtMs: number): void
  /** @returns false where the run does not exist any more, or has its result already */
  end(id: number, outcome: RunOutcome): boolean
  state(id: number): RunState | undefined
  /** A run with this input that is done, else one that this host is about to do. */
  findReusable(inputSha256: string, hostId: number | null): number | undefined
  /** The newest finished run of this input. */
  findDone(inputSha256: string): number | undefined
  /** The runs of an experiment on a kernel, in order, with their documents. */
  ofExperiment(experimentId: number): Run[]
  /** The same of an experiment on a deployment. */
  ofDeployment(experimentId: number): DecodeRun[]
  /** Of a run that is known to be of this kind by its input. */
  document(id: number): KeptDocument | undefined
  /** What waits or runs, each with the newest experiment that holds it outside the trash. */
  open(): OpenRun[]
  /** Whether a run waits or runs that belongs to no host. */
  hasOrphans(): boolean
  /** Marks what dead hosts, and hosts that nobody knows any more, have left behind. */
  crashAbandoned(deadHostIds: readonly number[], message: string): number[]
  /** Takes back a run that was marked as crashed too early. @returns whether it was */
  reclaim(id: number, status: 'queued' | 'running', hostId: number): boolean
  /** Deletes the runs that no experiment links. @returns their ids */
  deleteUnlinked(ids: readonly number[]): number[]
}

interface RunRow {
  readonly id: number
  readonly dataflow: Dataflow
  readonly input_sha256: string
  readonly model_version: string
  readonly status: RunStatus
  readonly message: string | null
  readonly started_at_ms: number | null
  readonly elapsed_ms: number | null
  readonly document_json: string | null
}

const runFieldsOf = (row: RunRow) => ({
  id: row.id,
  inputSha256: row.input_sha256,
  modelVersion: row.model_version,
  stale: row.model_version !== MODEL_VERSION,
  status: row.status,
  message: row.message,
  startedAtMs: row.started_at_ms,
  elapsedMs: row.elapsed_ms,
})

/** A document was checked before it was stored, and is of the kind of its experiment. */
const toDocument = (json: string | null): unknown => (json === null ? null : JSON.parse(json))

/** What lists show of a run: of a deployment the time of a token. */
function listedMetrics({ input, result }: KeptDocument) {
  return input.kind === 'decode'
    ? { seconds: (result as DecodeDocument['result']).tpotSeconds, matrixUtilization: null }
    : {
        seconds: (result as AttentionDocument['result']).seconds,
        matrixUtilization: (result as AttentionDocument['result']).matrixUtilization,
      }
}

export function createRunRepository(db: Database): RunRepository {
  const insert = db.prepare<[string, string, string, string, number | null]>(
    `INSERT INTO run (kind, dataflow, input_sha256, model_version, status, host_id)
     VALUES (?, ?, ?, ?, 'queued', ?)`,
  )
  const start = db.prepare<[number, number]>(
    `UPDATE run SET status = 'running', started_at_ms = ? WHERE id = ? AND status = 'queued'`,
  )
  const setStarted = db.prepare<[number | null, number]>(
    'UPDATE run SET started_at_ms = ? WHERE id = ?',
  )
  const end = db.prepare<
    [
      {
        id: number
        status: RunStatus
        message: string | null
        elapsedMs: number | null
        seconds: number | null
        matrixUtilization: number | null
      },
    ]
  >(
    // Not only what waits or runs: a host that slept may have been taken for dead too early.
    `UPDATE run
     SET status = @status, message = @message, elapsed_ms = @elapsedMs, seconds = @seconds,
         matrix_utilization = @matrixUtilization, host_id = NULL
     WHERE id = @id AND status <> 'done'`,
  )
  const insertDocument = db.prepare<[number, string]>(
    'INSERT INTO run_document (run_id, document_json) VALUES (?, ?)',
  )
  const selectState = db.prepare<[number], { status: RunStatus; host_id: number | null }>(
    'SELECT status, host_id FROM run WHERE id = ?',
  )
  const selectReusable = db.prepare<[string, number | null], { id: number }>(
    `SELECT id FROM run
     WHERE input_sha256 = ?
       AND (status = 'done' OR (status IN ('queued', 'running') AND host_id = ?))
     ORDER BY status = 'done' DESC, id DESC LIMIT 1`,
  )
  const selectOfExperiment = db.prepare<[number], RunRow>(
    `SELECT run.id, dataflow, input_sha256, model_version, status, message, started_at_ms,
            elapsed_ms, document_json
     FROM experiment_run
       JOIN run ON run.id = experiment_run.run_id
       LEFT JOIN run_document ON run_document.run_id = run.id
     WHERE experiment_id = ? ORDER BY position`,
  )
  const selectDocument = db.prepare<[number], { document_json: string }>(
    'SELECT document_json FROM run_document WHERE run_id = ?',
  )
  const selectOpen = db.prepare<[], OpenRun>(
    // Of a group SQLite takes the other columns from the row with the maximum.
    `SELECT run.id AS id, max(experiment.id) AS experimentId, name, dataflow, status
     FROM run
       JOIN experiment_run ON experiment_run.run_id = run.id
       JOIN experiment ON experiment.id = experiment_run.experiment_id
     WHERE status IN ('queued', 'running') AND trashed_at_ms IS NULL
     GROUP BY run.id ORDER BY run.id`,
  )
  const selectNotOver = db.prepare<[], { id: number; host_id: number | null }>(
    `SELECT id, host_id FROM run WHERE status IN ('queued', 'running')`,
  )
  const reclaim = db.prepare<[RunStatus, number, number]>(
    `UPDATE run SET status = ?, host_id = ?, message = NULL WHERE id = ? AND status = 'crashed'`,
  )
  const deleteUnlinked = db.prepare<[number]>(
    `DELETE FROM run
     WHERE id = ? AND NOT EXISTS (SELECT 1 FROM experiment_run WHERE run_id = run.id)`,
  )

  function endRun(id: number, outcome: RunOutcome): boolean {
    const isDone = outcome.status === 'done'
    const { changes } = end.run({
      id,
      status: outcome.status,
      message: isDone ? null : outcome.message,
      elapsedMs: outcome.elapsedMs ?? null,
      ...(isDone ? listedMetrics(outcome.document) : { seconds: null, matrixUtilization: null }),
    })
    if (changes > 0 && isDone) insertDocument.run(id, JSON.stringify(outcome.document))
    return changes > 0
  }

  const addQueued = (key: RunKey, hostId: number | null): number =>
    Number(
      insert.run(key.kind, key.dataflow, key.inputSha256, key.modelVersion, hostId).lastInsertRowid,
    )

  return {
    addQueued,
    addEnded(key, outcome, startedAtMs) {
      const id = addQueued(key, null)
      setStarted.run(startedAtMs, id)
      endRun(id, outcome)
      return id
    },
    markStarted(id, startedAtMs) {
      start.run(startedAtMs, id)
    },
    end: (id, outcome) => db.transaction(() => endRun(id, outcome)).immediate(),
    state(id) {
      const row = selectState.get(id)
      return row && { status: row.status, hostId: row.host_id }
    },
    findReusable: (sha256, hostId) => selectReusable.get(sha256, hostId)?.id,
    findDone: sha256 => selectReusable.get(sha256, null)?.id,
    ofExperiment: experimentId =>
      selectOfExperiment.all(experimentId).map(row => ({
        ...runFieldsOf(row),
        dataflow: row.dataflow,
        document: toDocument(row.document_json) as AttentionDocument | null,
      })),
    ofDeployment: experimentId =>
      selectOfExperiment.all(experimentId).map(row => ({
        ...runFieldsOf(row),
        document: toDocument(row.document_json) as DecodeDocument | null,
      })),
    document: id =>
      (toDocument(selectDocument.get(id)?.document_json ?? null) as KeptDocument | null) ??
      undefined,
    open: () => selectOpen.all(),
    hasOrphans: () => selectNotOver.all().some(row => row.host_id === null),
    crashAbandoned(deadHostIds, message) {
      const dead = new Set<number | null>([...deadHostIds, null])
      const abandoned = selectNotOver.all().filter(row => dead.has(row.host_id))
      for (const { id } of abandoned) endRun(id, { status: 'crashed', message })
      return abandoned.map(({ id }) => id)
    },
    reclaim: (id, status, hostId) => reclaim.run(status, hostId, id).changes > 0,
    deleteUnlinked: ids => ids.filter(id => deleteUnlinked.run(id).changes > 0),
  }
}
