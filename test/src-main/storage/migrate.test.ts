import fs from 'node:fs'
import path from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { Migration } from '#main/storage/migrate.ts'
import { allMigrations } from '#main/storage/migrations/all-migrations.ts'
import { databaseFile, openDatabase } from '#main/storage/open-database.ts'
import { temporaryDirectory } from '#test/support/main-temporary-directory.ts'

const newest = allMigrations.length
const version = (db: Database): unknown => db.pragma('user_version', { simple: true })

/** A step that only a later version has. */
const later: Migration = {
  version: newest + 1,
  name: 'later',
  up: db => {
    db.exec('CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT')
  },
}

const schemaOf = (db: Database): unknown[] =>
  db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all()

test('migrations are numbered 1 to n, without gaps', () => {
  expect(allMigrations.map(({ version }) => version)).toEqual(
    Array.from({ length: newest }, (_, index) => index + 1),
  )
})

test('each migration has a file of its number and name', () => {
  const directory = new URL('../../../src-main/storage/migrations/', import.meta.url)
  const numbered = fs.readdirSync(directory).filter(name => /^\d/.test(name))
  expect(numbered).toEqual(
    allMigrations.map(({ version, name }) => `${String(version).padStart(4, '0')}-${name}.ts`),
  )
})

test('a missing directory is created, and the database is at the newest version', () => {
  const directory = path.join(temporaryDirectory(), 'a', 'b')
  const db = openDatabase(directory)
  expect(version(db)).toBe(newest)
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
  expect(db.pragma('foreign_keys', { simple: true })).toBe(1)
  db.close()
})

test('opening twice changes nothing and makes no backup', () => {
  const directory = temporaryDirectory()
  const first = openDatabase(directory)
  const schema = schemaOf(first)
  first.close()
  const second = openDatabase(directory)
  expect(schemaOf(second)).toEqual(schema)
  second.close()
  expect(fs.readdirSync(directory)).toEqual(['tessera.db'])
})

test('every table is strict', () => {
  const db = openDatabase(temporaryDirectory())
  const tables = db
    .prepare<[], { name: string; strict: number }>(`SELECT name, strict FROM pragma_table_list`)
    .all()
    .filter(({ name }) => !name.startsWith('sqlite_'))
  db.close()
  expect(tables.length).toBeGreaterThan(3)
  expect(tables.filter(({ strict }) => strict === 0)).toEqual([])
})

describe('an older database', () => {
  test('is backed up before it is changed', () => {
    const directory = temporaryDirectory()
    const old = openDatabase(directory)
    old.exec(`INSERT INTO host VALUES (7, 'cli', 'here', 1, 2, 3)`)
    old.close()
    const now = () => Date.UTC(2026, 10, 30, 12)
    const db = openDatabase(directory, { migrations: [...allMigrations, later], now })
    expect(version(db)).toBe(newest + 1)
    db.close()
    const backup = `tessera.db.v${String(newest)}-2026-11-30T12-00-00-000Z.backup`
    expect(fs.readdirSync(directory).sort()).toEqual(['tessera.db', backup])
    const copy = new Sqlite(path.join(directory, backup), { readonly: true })
    expect(version(copy)).toBe(newest)
    expect(copy.prepare('SELECT id FROM host').all()).toEqual([{ id: 7 }])
    copy.close()
  })

  test('stays as it was when a step fails', () => {
    const directory = temporaryDirectory()
    openDatabase(directory).close()
    const failing: Migration = {
      version: newest + 2,
      name: 'failing',
      up: db => {
        db.exec('CREATE TABLE half (id INTEGER); INSERT INTO nowhere VALUES (1)')
      },
    }
    expect(() =>
      openDatabase(directory, { migrations: [...allMigrations, later, failing] }),
    ).toThrow(/nowhere/)
    const db = openDatabase(directory)
    expect(version(db)).toBe(newest)
    expect(JSON.stringify(schemaOf(db))).not.toMatch(/later|half/)
    db.close()
  })
})

describe('a database from a newer version', () => {
  const openNewer = (directory: string) =>
    openDatabase(directory, { migrations: [...allMigrations, later] })

  test('is refused and left byte for byte as it was, with nothing beside it', () => {
    const directory = temporaryDirectory()
    openNewer(directory).close()
    const before = fs.readFileSync(databaseFile(directory))
    expect(() => openDatabase(directory)).toThrow(/newer Tessera \(database version \d/)
    expect(fs.readFileSync(databaseFile(directory)).equals(before)).toBe(true)
    expect(fs.readdirSync(directory)).toEqual(['tessera.db'])
  })

  test('is refused while the newer version still has it open', () => {
    const directory = temporaryDirectory()
    const newer = openNewer(directory)
    const before = fs.readFileSync(databaseFile(directory))
    expect(() => openDatabase(directory)).toThrow(/newer Tessera/)
    expect(fs.readFileSync(databaseFile(directory)).equals(before)).toBe(true)
    newer.close()
  })
})
