import fs from 'node:fs'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { databaseFile } from '#main/storage/open-database.ts'
import { openTestCore } from '#test/support/main-core.ts'
import { makeDocument, makeInput, makeSpec, makeSpecNamed } from '#test/support/main-inputs.ts'
import { temporaryDirectory } from '#test/support/main-temporary-directory.ts'

// Processes are started, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

describe('without a usable database', () => {
  function openBroken() {
    const dataDirectory = temporaryDirectory()
    fs.writeFileSync(databaseFile(dataDirectory), 'this is no database')
    return openTestCore({ dataDirectory })
  }
  const message = /tessera\.db is not a SQLite database; move it away/

  test('the core says so, and logs it', async () => {
    const { ask, lines } = openBroken()
    expect(await ask('app:info', null)).toMatchObject({
      storage: { kind: 'unavailable', message: expect.stringMatching(message) as unknown },
    })
    expect(lines[0]).toMatch(message)
  })

  test('estimates still run', async () => {
    const { ask } = openBroken()
    expect(await ask('attention:estimate', makeInput())).toMatchObject({ kind: 'estimate' })
  })

  test.each<[string, unknown]>([
    ['experiment:list', { trashed: false }],
    ['experiment:get', { id: 1 }],
    ['experiment:start', { spec: makeSpec(), again: false }],
    ['experiment:trash', { ids: [1] }],
    ['job:cancel', { runId: 1 }],
    ['report:export', { experimentIds: [1] }],
  ])('%s answers why not', async (channel, input) => {
    const { core } = openBroken()
    expect(await core.dispatch(channel, input)).toEqual({
      ok: false,
      code: 'storage',
      message: expect.stringMatching(message) as unknown,
    })
  })

  test('the command line gets an error that says why', () => {
    const { core } = openBroken()
    expect(core.storage.kind).toBe('unavailable')
    expect(() => core.history.recordRun(makeDocument(), 1)).toThrow(message)
    expect(() => core.history.list(false)).toThrow(message)
  })

  test('it can be closed', async () => {
    const { core } = openBroken()
    await expect(core.close()).resolves.toBeUndefined()
  })
})

describe('while another program holds the database', () => {
  test('a request is answered with that, and works afterwards', async () => {
    const { core, ask, directory } = openTestCore()
    const other = new Sqlite(databaseFile(directory))
    other.exec('BEGIN IMMEDIATE')
    const request = { spec: makeSpec(), again: false }
    expect(await core.dispatch('experiment:start', request)).toMatchObject({
      ok: false,
      code: 'storage',
      message: expect.stringMatching(/locked by another program/) as unknown,
    })
    expect(await ask('experiment:list', { trashed: false })).toEqual([])
    other.close()
    expect(await ask('experiment:start', request)).toMatchObject({ reused: false })
  })

  test('a result that cannot be stored is told as failed, and stored later', async () => {
    const { core, ask, until, directory, lines } = openTestCore()
    const other = new Sqlite(databaseFile(directory))
    core.subscribe(({ type, payload }) => {
      if (type === 'job:event' && payload.kind === 'started') other.exec('BEGIN IMMEDIATE')
    })
    await ask('experiment:start', { spec: makeSpec(), again: false })
    expect(await until('failed', 1)).toMatchObject({
      message: expect.stringMatching(/could not be stored yet, .*locked/) as unknown,
    })
    other.close()
    expect(lines.join('\n')).toMatch(/run 1 \(done\) could not be stored/)
    await core.close()
    const { getRun } = openTestCore({ dataDirectory: directory })
    expect(await getRun(1)).toMatchObject({ status: 'done', message: null })
  })
})

test('a host that another has taken for dead shows its runs as what they are again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { ask, until, getRun, directory, events } = openTestCore()
  const first = await ask('experiment:start', { spec: makeSpecNamed('endless'), again: false })
  const second = await ask('experiment:start', { spec: makeSpecNamed('endless', 3), again: false })
  await until('progress', 1)
  const other = new Sqlite(databaseFile(directory))
  other.exec(`DELETE FROM host; UPDATE run SET status = 'crashed', message = 'gone'`)
  other.close()
  vi.advanceTimersByTime(5000)
  expect(await getRun(first.experimentId)).toMatchObject({ status: 'running', message: null })
  expect(await getRun(second.experimentId)).toMatchObject({ status: 'queued', message: null })
  const told = events.length
  await vi.waitFor(() => {
    expect(events.slice(told).map(({ type }) => type)).toContain('history:changed')
  })
})

describe('the history of the command line', () => {
  test('records, finds, exports, deletes and imports', async () => {
    const { core, ask } = openTestCore({ host: 'cli' })
    const { history } = core
    const { experimentId } = history.recordRun(makeDocument(), 4)
    expect(history.findRun(makeInput())?.experimentIds).toEqual([experimentId])
    const file: unknown = JSON.parse(JSON.stringify(history.exportRuns('all')))
    expect(file).toMatchObject({ appVersion: '1.2.3' })
    history.trash([experimentId])
    expect(history.list(true)).toHaveLength(1)
    history.restore([experimentId])
    history.deleteRuns([experimentId])
    expect(history.list(false)).toEqual([])
    expect(history.findRun(makeInput())).toBeUndefined()
    expect(history.importRuns(file)).toEqual({ importedIds: [2], skipped: 0 })
    expect(history.get(2).runs[0]?.document).toEqual(makeDocument())
    expect(await ask('app:info', null)).toMatchObject({ host: 'browser' })
  })

  test('deletes nothing when one of several does not exist', () => {
    const { core } = openTestCore()
    const { experimentId } = core.history.recordRun(makeDocument(), 4)
    expect(() => {
      core.history.deleteRuns([experimentId, 99])
    }).toThrow('there is no experiment 99')
    expect(core.history.list(false)).toHaveLength(1)
  })
})
