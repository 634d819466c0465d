export type StorageProblem =
  | 'not-a-database'
  | 'foreign'
  | 'from-the-future'
  | 'read-only'
  | 'locked'
  | 'full'
  | 'damaged'
  | 'unavailable'

/** The history cannot be read or written; the message says which file, why, and what helps. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly problem: StorageProblem

  constructor(problem: StorageProblem, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.problem = problem
  }
}

/** The first rule that matches tells; codes of SQLite and of the operating system. */
const rules: readonly (readonly [RegExp, StorageProblem, string])[] = [
  [
    /^SQLITE_NOTADB/,
    'not-a-database',
    'is not a SQLite database; move it away to begin a new history',
  ],
  [
    /^(SQLITE_READONLY|SQLITE_PERM|EACCES|EPERM|EROFS)/,
    'read-only',
    'cannot be written; give write permission for the file and its directory, ' +
      'or choose another directory with TESSERA_DATA_DIR',
  ],
  [
    /^(SQLITE_BUSY|SQLITE_LOCKED)/,
    'locked',
    'is locked by another program; close that program, then start Tessera again',
  ],
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)/, 'full', 'cannot grow: the disk is full; free some space'],
  [
    /^SQLITE_CORRUPT/,
    'damaged',
    'is damaged; move it away, and put a backup in its place if there is one beside it',
  ],
  [
    /^SQLITE_IOERR/,
    'unavailable',
    'cannot be read or written; check that its disk is neither full nor broken',
  ],
  [
    /^(SQLITE_CANTOPEN|ENOTDIR|EEXIST|EISDIR|ENOENT|ENAMETOOLONG|EIO)/,
    'unavailable',
    'cannot be opened; check that the directory exists and can be written, ' +
      'or choose another with TESSERA_DATA_DIR',
  ],
]

/**
 * Turns an error of SQLite or of the file system into words.
 *
 * @returns undefined for an error that is neither
 */
export function storageErrorFrom(error: unknown, file: string): StorageError | undefined {
  if (error instanceof StorageError) return error
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const code = String(error.code)
  const rule = rules.find(([pattern]) => pattern.test(code))
  if (rule === undefined) return undefined
  const [, problem, text] = rule
  return new StorageError(problem, `The history ${file} ${text} (${error.message}).`, error)
}
