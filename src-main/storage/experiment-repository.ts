import type { Database } from 'better-sqlite3'
import type {
  AttentionExperiment,
  DecodeExperiment,
  ExperimentSummary,
} from '#shared/ipc/contract.ts'
import type { ExperimentSpec } from '#shared/schema/attention-input.ts'
import type { DecodeInput } from '#shared/schema/decode-input.ts'
import type { Subject } from '#main/storage/subject.ts'

/** An experiment without its runs. */
type ExperimentHead = Omit<AttentionExperiment, 'runs'> | Omit<DecodeExperiment, 'runs'>

interface NewExperiment {
  readonly name: string
  readonly note: string
  readonly tags: readonly string[]
  readonly createdAtMs: number
  readonly subject: Subject
  /** Identity: see `runsSha256`. */
  readonly runsSha256: string
  readonly runIds: readonly number[]
}

export interface ExperimentRepository {
  add(experiment: NewExperiment): number
  get(id: number): ExperimentHead | undefined
  /** Newest first; documents and configurations stay unread. */
  list(isTrashed: boolean): ExperimentSummary[]
  ids(): number[]
  /** The newest experiment with exactly these runs that is not in the trash. */
  findByRuns(runsSha256: string): number | undefined
  /** Whether such an experiment was made at this moment and is not in the trash. */
  exists(runsSha256: string, createdAtMs: number): boolean
  /** Experiments that link a run and are not in the trash, newest first. */
  linking(runId: number): number[]
  runIds(id: number): number[]
  replaceRun(id: number, oldRunId: number, newRunId: number): void
  /** The following return whether there was such an experiment. */
  rename(id: number, name: string): boolean
  annotate(id: number, note: string, tags: readonly string[]): boolean
  setTrashed(id: number, atMs: number | null): boolean
  remove(id: number): boolean
}

interface HeadRow {
  readonly id: number
  readonly kind: ExperimentSummary['kind']
  readonly name: string
  readonly note: string
  readonly tags_json: string
  readonly created_at_ms: number
  readonly trashed_at_ms: number | null
}
interface FullRow extends HeadRow {
  readonly spec_json: string
}
interface SummaryRow extends HeadRow {
  readonly chip_name: string
  readonly workload_name: string
}
type RunSummary = ExperimentSummary['runs'][number]
interface RunSummaryRow {
  readonly experiment_id: number
  readonly id: number
  readonly dataflow: RunSummary['dataflow']
  readonly status: RunSummary['status']
  readonly seconds: number | null
  readonly matrix_utilization: number | null
}

const toHead = (row: HeadRow) => ({
  id: row.id,
  name: row.name,
  note: row.note,
  tags: JSON.parse(row.tags_json) as string[],
  createdAtMs: row.created_at_ms,
  trashedAtMs: row.trashed_at_ms,
})

const toRunSummary = (row: RunSummaryRow): RunSummary => ({
  id: row.id,
  dataflow: row.dataflow,
  status: row.status,
  seconds: row.seconds,
  matrixUtilization: row.matrix_utilization,
})

function storedSubject(subject: Subject) {
  if (subject.kind === 'attention') {
    const { spec } = subject
    const [chipName, workloadName] = [spec.chip.name, spec.workload.name]
    return { chipName, workloadName, json: JSON.stringify(spec) }
  }
  const { input } = subject
  const [chipName, workloadName] = [input.system.name, input.model.name]
  return { chipName, workloadName, json: JSON.stringify(input) }
}

export function createExperimentRepository(db: Database): ExperimentRepository {
  const insert = db.prepare<
    [string, string, string, string, number, string, string, string, string]
  >(
    `INSERT INTO experiment
       (kind, name, note, tags_json, created_at_ms, chip_name, workload_name, runs_sha256, spec_json)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const link = db.prepare<[number, number, number]>(
    'INSERT INTO experiment_run (experiment_id, position, run_id) VALUES (?, ?, ?)',
  )
  const replaceRun = db.prepare<[number, number, number]>(
    'UPDATE experiment_run SET run_id = ? WHERE experiment_id = ? AND run_id = ?',
  )
  const select = db.prepare<[number], FullRow>(
    `SELECT id, kind, name, note, tags_json, created_at_ms, trashed_at_ms, spec_json
     FROM experiment WHERE id = ?`,
  )
  const list = db.prepare<[number], SummaryRow>(
    `SELECT id, kind, name, note, tags_json, created_at_ms, trashed_at_ms, chip_name, workload_name
     FROM experiment WHERE (trashed_at_ms IS NOT NULL) = ? ORDER BY created_at_ms DESC, id DESC`,
  )
  const listRuns = db.prepare<[number], RunSummaryRow>(
    `SELECT experiment_id, run.id, dataflow, status, seconds, matrix_utilization
     FROM experiment_run
       JOIN run ON run.id = run_id
       JOIN experiment ON experiment.id = experiment_id
     WHERE (trashed_at_ms IS NOT NULL) = ? ORDER BY experiment_id, position`,
  )
  const ids = db.prepare<[], { id: number }>(
    'SELECT id FROM experiment WHERE trashed_at_ms IS NULL ORDER BY id',
  )
  const findByRuns = db.prepare<[string], { id: number }>(
    `SELECT id FROM experiment
     WHERE runs_sha256 = ? AND trashed_at_ms IS NULL ORDER BY id DESC LIMIT 1`,
  )
  const findSame = db.prepare<[string, number], { id: number }>(
    `SELECT id FROM experiment
     WHERE runs_sha256 = ? AND created_at_ms = ? AND trashed_at_ms IS NULL LIMIT 1`,
  )
  const linking = db.prepare<[number], { id: number }>(
    `SELECT id FROM experiment JOIN experiment_run ON experiment_id = id
     WHERE run_id = ? AND trashed_at_ms IS NULL ORDER BY id DESC`,
  )
  const runIds = db.prepare<[number], { run_id: number }>(
    'SELECT run_id FROM experiment_run WHERE experiment_id = ? ORDER BY position',
  )
  const rename = db.prepare<[string, string, number]>(
    // Only the configuration of a kernel has a name of its own.
    `UPDATE experiment SET name = ?, spec_json = json_replace(spec_json, '$.name', ?) WHERE id = ?`,
  )
  const annotate = db.prepare<[string, string, number]>(
    'UPDATE experiment SET note = ?, tags_json = ? WHERE id = ?',
  )
  const setTrashed = db.prepare<[number | null, number]>(
    'UPDATE experiment SET trashed_at_ms = ? WHERE id = ?',
  )
  const remove = db.prepare<[number]>('DELETE FROM experiment WHERE id = ?')

  return {
    add(experiment) {
      const { name, note, tags, createdAtMs, subject } = experiment
      const { chipName, workloadName, json } = storedSubject(subject)
      const { lastInsertRowid } = insert.run(
        subject.kind,
        name,
        note,
        JSON.stringify(tags),
        createdAtMs,
        chipName,
        workloadName,
        experiment.runsSha256,
        json,
      )
      const id = Number(lastInsertRowid)
      experiment.runIds.forEach((runId, position) => link.run(id, position, runId))
      return id
    },
    get(id) {
      const row = select.get(id)
      if (row === undefined) return undefined
      return row.kind === 'attention'
        ? { ...toHead(row), kind: row.kind, spec: JSON.parse(row.spec_json) as ExperimentSpec }
        : { ...toHead(row), kind: row.kind, input: JSON.parse(row.spec_json) as DecodeInput }
    },
    list(isTrashed) {
      const flag = isTrashed ? 1 : 0
      const runs = new Map<number, RunSummary[]>()
      for (const row of listRuns.all(flag)) {
        const ofOne = runs.get(row.experiment_id)
        if (ofOne === undefined) runs.set(row.experiment_id, [toRunSummary(row)])
        else ofOne.push(toRunSummary(row))
      }
      return list.all(flag).map(row => ({
        ...toHead(row),
        kind: row.kind,
        chipName: row.chip_name,
        workloadName: row.workload_name,
        runs: runs.get(row.id) ?? [],
      }))
    },
    ids: () => ids.all().map(({ id }) => id),
    findByRuns: sha256 => findByRuns.get(sha256)?.id,
    exists: (sha256, createdAtMs) => findSame.get(sha256, createdAtMs) !== undefined,
    linking: runId => linking.all(runId).map(({ id }) => id),
    runIds: id => runIds.all(id).map(({ run_id }) => run_id),
    replaceRun(id, oldRunId, newRunId) {
      replaceRun.run(newRunId, id, oldRunId)
    },
    rename: (id, name) => rename.run(name, name, id).changes > 0,
    annotate: (id, note, tags) => annotate.run(note, JSON.stringify(tags), id).changes > 0,
    setTrashed: (id, atMs) => setTrashed.run(atMs, id).changes > 0,
    remove: id => remove.run(id).changes > 0,
  }
}
