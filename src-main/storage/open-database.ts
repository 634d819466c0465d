import fs from 'node:fs'
import path from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import {
  applicationId,
  migrate,
  newestVersion,
  refuseFuture,
  type Migration,
} from '#main/storage/migrate.ts'
import { allMigrations } from '#main/storage/migrations/all-migrations.ts'
import { StorageError, storageErrorFrom } from '#main/storage/storage-error.ts'

export interface OpenOptions {
  readonly migrations?: readonly Migration[]
  /** How long to wait for another process to release the file, in ms. */
  readonly busyTimeoutMs?: number
  readonly now?: () => number
}

export const databaseFile = (dataDirectory: string): string =>
  path.join(dataDirectory, 'tessera.db')

/**
 * Opens the history in `dataDirectory`, which is created if it is missing, and brings it to the
 * newest version.
 *
 * @throws StorageError where that cannot be done; a newer or a foreign file is left untouched
 */
export function openDatabase(dataDirectory: string, options: OpenOptions = {}): Database {
  const file = databaseFile(dataDirectory)
  try {
    makeDirectory(dataDirectory)
    return open(file, options)
  } catch (error) {
    throw storageErrorFrom(error, file) ?? error
  }
}

/**
 * Makes a directory and those above it. Node's own `recursive` never returns where the system says
 * that a directory does not exist although its parent does, as below /proc.
 */
function makeDirectory(directory: string): void {
  if (fs.existsSync(directory)) return
  const parent = path.dirname(directory)
  if (parent !== directory) makeDirectory(parent)
  try {
    fs.mkdirSync(directory)
  } catch (error) {
    if (!fs.existsSync(directory)) throw error // else another process was quicker
  }
}

function open(file: string, options: OpenOptions): Database {
  const { migrations = allMigrations, busyTimeoutMs = 3000, now = Date.now } = options
  refuseForeign(file, newestVersion(migrations), busyTimeoutMs)
  // SQLite would open a file that cannot be written, and fail at the first result to be kept.
  if (fs.existsSync(file)) fs.accessSync(file, fs.constants.W_OK)
  const db = new Sqlite(file, { timeout: busyTimeoutMs })
  try {
    const mode = db.pragma('journal_mode = WAL', { simple: true })
    if (mode !== 'wal') {
      throw new StorageError('unavailable', `The history ${file} cannot be put into WAL mode.`)
    }
    db.pragma('synchronous = FULL') // a result that was shown survives a power failure
    db.pragma('foreign_keys = ON')
    db.pragma('trusted_schema = OFF')
    migrate(db, migrations, version => {
      backUp(db, file, version, now())
    })
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** What a file says about itself, before it is touched. */
interface Stamp {
  readonly version: number
  readonly application: number
}

/** @throws StorageError where the file is no database, another program's, or too new */
function refuseForeign(file: string, newest: number, busyTimeoutMs: number): void {
  const stamp = readStamp(file, busyTimeoutMs)
  if (stamp === undefined) return
  if (stamp.application !== applicationId) {
    throw new StorageError(
      'foreign',
      `The file ${file} is a database of another program. It was left as it is; ` +
        'move it away or choose another directory with TESSERA_DATA_DIR.',
    )
  }
  if (stamp.version < 1) {
    throw new StorageError(
      'damaged',
      `The history ${file} is damaged: it has no database version from 1 (${String(stamp.version)}). ` +
        'It was left as it is; move it away, and put a backup in its place if there is one beside it.',
    )
  }
  refuseFuture(stamp.version, newest, file)
}

/** @returns undefined where there is nothing yet: no file, an empty one, an empty database */
function readStamp(file: string, busyTimeoutMs: number): Stamp | undefined {
  const header = readHeader(file)
  if (header === undefined) return undefined
  const stamp = { version: header.readInt32BE(60), application: header.readInt32BE(68) }
  // A write-ahead log that is left over may hold a newer first page than the file itself.
  // Without one the header is the truth, and no connection has to leave files beside it.
  const hasLog = (fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  if (!hasLog && (stamp.version !== 0 || stamp.application !== 0)) return stamp
  const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs })
  try {
    if (db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined) return undefined
    return {
      version: Number(db.pragma('user_version', { simple: true })),
      application: Number(db.pragma('application_id', { simple: true })),
    }
  } finally {
    db.close()
  }
}

const headerBytes = 100
const magic = 'SQLite format 3\0'

/** @throws StorageError where the file does not begin like a SQLite database */
function readHeader(file: string): Buffer | undefined {
  if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return undefined
  const header = Buffer.alloc(headerBytes)
  const descriptor = fs.openSync(file, 'r')
  try {
    const count = fs.readSync(descriptor, header, 0, headerBytes, 0)
    if (count === headerBytes && header.toString('latin1', 0, magic.length) === magic) return header
  } finally {
    fs.closeSync(descriptor)
  }
  throw new StorageError(
    'not-a-database',
    `The file ${file} is not a SQLite database; move it away to begin a new history.`,
  )
}

/** A complete copy beside the file, from before it is changed; none is ever overwritten. */
function backUp(db: Database, file: string, version: number, nowMs: number): void {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')
  const target = `${file}.v${String(version)}-${stamp}.backup`
  const partial = `${target}.partial`
  fs.rmSync(partial, { force: true })
  db.prepare('VACUUM INTO ?').run(partial)
  fs.renameSync(partial, target)
}
