import type { Migration } from '#main/storage/migrate.ts'

/** What is being edited on a page, step by step, so that it outlives the page and the process. */
export const drafts: Migration = {
  version: 2,
  name: 'drafts',
  up: db => {
    db.exec(`
      -- One for each page and window; position is that of the state that is shown.
      CREATE TABLE draft (
        page          TEXT    NOT NULL CHECK (page <> ''),
        session       TEXT    NOT NULL CHECK (session <> ''),
        position      INTEGER NOT NULL CHECK (position >= 0),
        saved_json    TEXT    CHECK (json_valid(saved_json)),
        changed_at_ms INTEGER NOT NULL CHECK (changed_at_ms >= 0),
        PRIMARY KEY (page, session)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE draft_state (
        page       TEXT    NOT NULL,
        session    TEXT    NOT NULL,
        position   INTEGER NOT NULL CHECK (position >= 0),
        state_json TEXT    NOT NULL CHECK (json_valid(state_json)),
        PRIMARY KEY (page, session, position),
        FOREIGN KEY (page, session) REFERENCES draft (page, session) ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID;
    `)
  },
}
