import type { Migration } from '#main/storage/migrate.ts'

/** Experiments, the runs that they link, and the processes that own runs which are not over. */
export const history: Migration = {
  version: 1,
  name: 'history',
  up: db => {
    db.exec(`
      CREATE TABLE host (
        id              INTEGER PRIMARY KEY AUTOINCREMENT,
        kind            TEXT    NOT NULL CHECK (kind IN ('desktop', 'browser', 'cli')),
        machine         TEXT    NOT NULL,
        pid             INTEGER NOT NULL CHECK (pid > 0),
        started_at_ms   INTEGER NOT NULL CHECK (started_at_ms >= 0),
        heartbeat_at_ms INTEGER NOT NULL CHECK (heartbeat_at_ms >= 0)
      ) STRICT;

      CREATE TABLE run (
        id                 INTEGER PRIMARY KEY AUTOINCREMENT,
        kind               TEXT    NOT NULL CHECK (kind IN ('attention', 'gemm', 'collective', 'decode')),
        dataflow           TEXT    NOT NULL CHECK (dataflow <> ''),
        input_sha256       TEXT    NOT NULL CHECK (length(input_sha256) = 64),
        model_version      TEXT    NOT NULL CHECK (model_version <> ''),
        status             TEXT    NOT NULL
          CHECK (status IN ('queued', 'running', 'done', 'failed', 'cancelled', 'crashed')),
        host_id            INTEGER REFERENCES host (id) ON DELETE SET NULL,
        message            TEXT,
        started_at_ms      INTEGER CHECK (started_at_ms >= 0),
        elapsed_ms         REAL    CHECK (elapsed_ms >= 0),
        seconds            REAL    CHECK (seconds >= 0),
        matrix_utilization REAL    CHECK (matrix_utilization >= 0),
        CHECK ((status = 'done') = (seconds IS NOT NULL))
      ) STRICT;
      CREATE INDEX run_by_input ON run (input_sha256);
      CREATE INDEX run_not_over ON run (host_id) WHERE status IN ('queued', 'running');

      -- Apart from its run: a list of runs must not page through documents.
      CREATE TABLE run_document (
        run_id        INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
        document_json TEXT    NOT NULL CHECK (json_valid(document_json))
      ) STRICT;

      CREATE TABLE experiment (
        id            INTEGER PRIMARY KEY AUTOINCREMENT,
        name          TEXT    NOT NULL CHECK (name <> ''),
        note          TEXT    NOT NULL,
        tags_json     TEXT    NOT NULL CHECK (json_type(tags_json) = 'array'),
        created_at_ms INTEGER NOT NULL CHECK (created_at_ms >= 0),
        trashed_at_ms INTEGER CHECK (trashed_at_ms >= 0),
        chip_name     TEXT    NOT NULL,
        workload_name TEXT    NOT NULL,
        runs_sha256   TEXT    NOT NULL CHECK (length(runs_sha256) = 64),
        spec_json     TEXT    NOT NULL CHECK (json_type(spec_json) = 'object')
      ) STRICT;
      CREATE INDEX experiment_by_runs ON experiment (runs_sha256);

      CREATE TABLE experiment_run (
        experiment_id INTEGER NOT NULL REFERENCES experiment (id) ON DELETE CASCADE,
        position      INTEGER NOT NULL CHECK (position >= 0),
        run_id        INTEGER NOT NULL REFERENCES run (id),
        PRIMARY KEY (experiment_id, position),
        UNIQUE (experiment_id, run_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX experiment_run_by_run ON experiment_run (run_id);
    `)
  },
}
