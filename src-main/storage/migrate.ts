import type { Database } from 'better-sqlite3'
import { StorageError } from '#main/storage/storage-error.ts'

/** One step of the schema; once released it is never edited. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly up: (db: Database) => void
}

/** Marks a SQLite file as ours: 'TESS' in the header. */
export const applicationId = 0x54455353

export const newestVersion = (migrations: readonly Migration[]): number =>
  migrations.at(-1)?.version ?? 0

const userVersion = (db: Database): number => Number(db.pragma('user_version', { simple: true }))

/**
 * Brings `db` to the newest version, all or nothing.
 *
 * @param backUp called before an older database that holds something is changed
 * @throws StorageError where the file was written by a newer version
 */
export function migrate(
  db: Database,
  migrations: readonly Migration[],
  backUp: (fromVersion: number) => void,
): void {
  const newest = newestVersion(migrations)
  const before = userVersion(db)
  if (before > 0 && before < newest) backUp(before)
  db.transaction(() => {
    const current = userVersion(db) // read again: another process may have been quicker
    refuseFuture(current, newest, db.name)
    if (current === 0) db.pragma(`application_id = ${String(applicationId)}`)
    for (const { version, up } of migrations.filter(({ version }) => version > current)) {
      up(db)
      db.pragma(`user_version = ${String(version)}`)
    }
  }).immediate()
}

/** @throws StorageError where `version` is newer than this program knows */
export function refuseFuture(version: number, newest: number, file: string): void {
  if (version <= newest) return
  throw new StorageError(
    'from-the-future',
    `The history ${file} was written by a newer Tessera (database version ${String(version)}, ` +
      `this one knows up to ${String(newest)}). It was left as it is; update Tessera to open it.`,
  )
}
