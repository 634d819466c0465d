import type { Migration } from '#main/storage/migrate.ts'

/** What runs of the event engine did over time, apart from their documents: lists never read it. */
export const activity: Migration = {
  version: 4,
  name: 'activity',
  up: db => {
    db.exec(`
      -- JSON, compressed by gzip.
      CREATE TABLE run_activity (
        run_id  INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
        content BLOB NOT NULL
      ) STRICT;
    `)
  },
}
