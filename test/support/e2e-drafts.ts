import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { databaseFile } from '#main/storage/open-database.ts'

/** Lets the next window start with an empty Lab: else it goes on where the last one was. */
export function forgetDrafts(dataDirectory: string): void {
  const file = databaseFile(dataDirectory)
  if (!existsSync(file)) return
  const db = new Sqlite(file, { timeout: 5000 })
  try {
    db.pragma('foreign_keys = ON')
    db.exec('DELETE FROM draft')
  } finally {
    db.close()
  }
}
