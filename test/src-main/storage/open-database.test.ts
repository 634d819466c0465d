import fs from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test, vi } from 'vitest'
import { databaseFile, openDatabase } from '#main/storage/open-database.ts'
import { StorageError, storageErrorFrom } from '#main/storage/storage-error.ts'
import { forkScript, nextMessage } from '#test/support/main-processes.ts'
import { temporaryDirectory } from '#test/support/main-temporary-directory.ts'

// Processes are started, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

function problemOf(open: () => unknown): { problem: string; message: string } {
  try {
    open()
  } catch (error) {
    if (error instanceof StorageError) return { problem: error.problem, message: error.message }
    throw error
  }
  throw new Error('it was opened')
}

describe('a file that is no database', () => {
  test.each([
    ['long', Buffer.alloc(8192, 'tessera ')],
    ['short', Buffer.from('hello')],
    ['cut off in the header', Buffer.from('SQLite format 3\0')],
  ])('%s, is refused and left as it was', (_, content) => {
    const directory = temporaryDirectory()
    const file = databaseFile(directory)
    fs.writeFileSync(file, content)
    const { problem, message } = problemOf(() => openDatabase(directory))
    expect(problem).toBe('not-a-database')
    expect(message).toContain(file)
    expect(fs.readFileSync(file).equals(content)).toBe(true)
  })
})

test('an empty file is a history that begins', () => {
  const directory = temporaryDirectory()
  fs.writeFileSync(databaseFile(directory), '')
  const db = openDatabase(directory)
  expect(db.prepare('SELECT count(*) AS count FROM experiment').get()).toEqual({ count: 0 })
  db.close()
})

test('a database of another program is refused and left as it was', () => {
  const directory = temporaryDirectory()
  const file = databaseFile(directory)
  const other = new Sqlite(file)
  other.exec('CREATE TABLE bookmark (id INTEGER)')
  other.close()
  const before = fs.readFileSync(file)
  expect(problemOf(() => openDatabase(directory)).problem).toBe('foreign')
  expect(fs.readFileSync(file).equals(before)).toBe(true)
})

test('a damaged page is reported as damage, not as an empty history', () => {
  const directory = temporaryDirectory()
  openDatabase(directory).close()
  const file = databaseFile(directory)
  const content = fs.readFileSync(file)
  content.fill(0xff, 100, 4096)
  fs.writeFileSync(file, content)
  expect(problemOf(() => openDatabase(directory)).problem).toBe('damaged')
})

test.each([0, -3])('a history whose version is %i is damaged, and left as it is', version => {
  const directory = temporaryDirectory()
  openDatabase(directory).close()
  const file = databaseFile(directory)
  const content = fs.readFileSync(file)
  content.writeInt32BE(version, 60)
  fs.writeFileSync(file, content)
  const { problem, message } = problemOf(() => openDatabase(directory))
  expect(problem).toBe('damaged')
  expect(message).toContain(`(${String(version)})`)
  expect(fs.readFileSync(file)).toEqual(content)
})

test('a result that was shown survives a power failure, references hold', () => {
  const db = openDatabase(temporaryDirectory())
  expect(db.pragma('synchronous', { simple: true })).toBe(2) // FULL
  expect(db.pragma('foreign_keys', { simple: true })).toBe(1)
  expect(db.pragma('trusted_schema', { simple: true })).toBe(0)
  db.close()
})

test('a locked database is reported after the wait', () => {
  const directory = temporaryDirectory()
  openDatabase(directory).close()
  const other = new Sqlite(databaseFile(directory))
  other.exec('BEGIN IMMEDIATE')
  const { problem, message } = problemOf(() => openDatabase(directory, { busyTimeoutMs: 50 }))
  expect(problem).toBe('locked')
  expect(message).toMatch(/locked by another program; close that program/)
  other.close()
  openDatabase(directory).close()
})

test('an exclusively locked database is reported, too', () => {
  const directory = temporaryDirectory()
  openDatabase(directory).close()
  const other = new Sqlite(databaseFile(directory))
  other.pragma('locking_mode = EXCLUSIVE')
  other.exec('BEGIN EXCLUSIVE; DELETE FROM host')
  expect(problemOf(() => openDatabase(directory, { busyTimeoutMs: 50 })).problem).toBe('locked')
  other.close()
})

describe('without permission to write', () => {
  const openAsUser = async (directory: string): Promise<string> =>
    JSON.stringify(await nextMessage(forkScript('main-open-process.ts', [directory])))
  const refusal = /"unavailable".*tessera\.db cannot be .*(permission|TESSERA_DATA_DIR)/

  test('a directory that cannot be written is reported', async () => {
    const directory = temporaryDirectory()
    openDatabase(directory).close()
    fs.chmodSync(directory, 0o555)
    expect(await openAsUser(directory)).toMatch(refusal)
  })

  test('a file that cannot be written is reported', async () => {
    const directory = temporaryDirectory()
    openDatabase(directory).close()
    fs.chmodSync(databaseFile(directory), 0o444)
    fs.chmodSync(directory, 0o777)
    expect(await openAsUser(directory)).toMatch(refusal)
  })

  test('a directory that cannot be created is reported', async () => {
    const directory = temporaryDirectory()
    fs.chmodSync(directory, 0o555)
    expect(await openAsUser(path.join(directory, 'new'))).toMatch(refusal)
  })
})

test('a file in the place of the directory is reported', () => {
  const directory = path.join(temporaryDirectory(), 'file')
  fs.writeFileSync(directory, '')
  expect(problemOf(() => openDatabase(directory)).problem).toBe('unavailable')
})

test('a full disk is told apart from other errors', () => {
  const directory = temporaryDirectory()
  const db = openDatabase(directory)
  const pages = Number(db.pragma('page_count', { simple: true }))
  db.pragma(`max_page_count = ${String(pages)}`)
  const fill = db.prepare(`INSERT INTO host VALUES (NULL, 'cli', ?, 1, 2, 3)`)
  let thrown: unknown
  try {
    fill.run('x'.repeat(100_000))
  } catch (error) {
    thrown = error
  }
  db.close()
  const error = storageErrorFrom(thrown, 'tessera.db')
  expect(error?.problem).toBe('full')
  expect(error?.message).toMatch(/disk is full; free some space/)
})

test('a disk that fails is not taken for a missing directory', () => {
  const failure = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_SHMSIZE' })
  const error = storageErrorFrom(failure, 'tessera.db')
  expect(error?.problem).toBe('unavailable')
  expect(error?.message).toMatch(
    /tessera\.db cannot be read or written; .* neither full nor broken/,
  )
})

test('an error that has nothing to do with storage stays what it is', () => {
  expect(storageErrorFrom(new TypeError('x is undefined'), 'tessera.db')).toBeUndefined()
})
