import { describe, expect, test } from 'vitest'
import { countRows, openTestHistory, type TestHistory } from '#test/support/main-history.ts'
import { makeDocument, makeSpec, makeSpecOfBatch } from '#test/support/main-inputs.ts'

const alive = () => true
const gone = () => false

/** A host that has queued one run and started another. */
function busyHost(): TestHistory & { readonly id: number } {
  const opened = openTestHistory(undefined, { pid: 4242, machine: 'here' })
  const [first] = opened.history.start(makeSpec(), false).queued
  opened.history.runStarted(first?.runId ?? 0)
  opened.history.start(makeSpecOfBatch(9), false)
  return { ...opened, id: opened.hosts.ownId() }
}

const statuses = ({ history }: TestHistory): string[] =>
  history.list(false).flatMap(({ runs }) => runs.map(({ status }) => status))

describe('at the start of another host', () => {
  test('runs of a living process are left alone', () => {
    const { directory } = busyHost()
    const other = openTestHistory(directory, { isProcessAlive: alive, machine: 'here' })
    expect(other.history.recoverCrashed()).toEqual([])
    expect(statuses(other)).toEqual(['queued', 'running'])
  })

  test('runs of a process that is gone are crashed, with a message', () => {
    const { directory } = busyHost()
    const other = openTestHistory(directory, { isProcessAlive: gone, machine: 'here' })
    expect(other.history.recoverCrashed()).toEqual([1, 2])
    expect(other.history.get(1).runs[0]).toMatchObject({
      status: 'crashed',
      message: 'the process that ran it ended before there was a result',
      document: null,
    })
    expect(countRows(other.db, 'host')).toBe(0)
    expect(other.history.recoverCrashed()).toEqual([])
  })

  test('runs of a process that has been silent for a minute are crashed: its number was reused', () => {
    const { directory } = busyHost()
    const other = openTestHistory(directory, { isProcessAlive: alive, machine: 'here' })
    other.wait(60_000)
    expect(other.history.recoverCrashed()).toEqual([])
    other.wait(1)
    expect(other.history.recoverCrashed()).toEqual([1, 2])
  })

  test('a heartbeat keeps them', () => {
    const busy = busyHost()
    busy.wait(50_000)
    busy.hosts.beat()
    const other = openTestHistory(busy.directory, { isProcessAlive: alive, machine: 'here' })
    other.wait(70_000)
    expect(other.history.recoverCrashed()).toEqual([])
  })

  test('a process number of another machine says nothing', () => {
    const { directory } = busyHost()
    const other = openTestHistory(directory, { isProcessAlive: gone, machine: 'elsewhere' })
    expect(other.history.recoverCrashed()).toEqual([])
  })

  test('runs that belong to nobody are crashed', () => {
    const { directory, db, id } = busyHost()
    db.prepare('DELETE FROM host WHERE id = ?').run(id)
    const other = openTestHistory(directory, { isProcessAlive: alive })
    expect(other.history.recoverCrashed()).toEqual([1, 2])
  })
})

test('a host that was taken for dead while it slept still delivers its result', () => {
  const busy = busyHost()
  const other = openTestHistory(busy.directory, { isProcessAlive: gone, machine: 'here' })
  other.history.recoverCrashed()
  expect(busy.hosts.beat()).toBe(true)
  expect(busy.hosts.beat()).toBe(false)
  expect(countRows(busy.db, 'host')).toBe(1)
  const outcome = { status: 'done', document: makeDocument(), elapsedMs: 3 } as const
  expect(busy.history.runEnded(1, outcome)).toBe(true)
  expect(other.history.get(1).runs[0]).toMatchObject({ status: 'done', message: null })
})

test('a host that was taken for dead while it slept takes its runs back', () => {
  const busy = busyHost()
  const other = openTestHistory(busy.directory, { isProcessAlive: gone, machine: 'here' })
  expect(other.history.recoverCrashed()).toEqual([1, 2])
  busy.hosts.beat()
  const unfinished = [
    { runId: 1, isRunning: true },
    { runId: 2, isRunning: false },
  ]
  expect(busy.history.reclaim(unfinished)).toEqual([1, 2])
  expect(busy.history.reclaim(unfinished)).toEqual([])
  expect(statuses(other)).toEqual(['queued', 'running'])
  expect(other.history.get(1).runs[0]).toMatchObject({ message: null })
  const third = openTestHistory(busy.directory, { isProcessAlive: alive, machine: 'here' })
  expect(third.history.recoverCrashed()).toEqual([])
})

test('what was resumed elsewhere meanwhile is not taken back', () => {
  const busy = busyHost()
  const other = openTestHistory(busy.directory, { isProcessAlive: gone, machine: 'here' })
  other.history.recoverCrashed()
  const [fresh] = other.history.start(makeSpec(), false).queued
  busy.hosts.beat()
  expect(busy.history.reclaim([{ runId: 1, isRunning: true }])).toEqual([])
  expect(other.history.get(1).runs.map(({ id }) => id)).toEqual([fresh?.runId])
})

test('a process that runs nothing has no row', () => {
  const { history, hosts, db } = openTestHistory()
  history.recordRun(makeDocument(), 1)
  hosts.beat()
  expect(hosts.knownId()).toBeNull()
  expect(countRows(db, 'host')).toBe(0)
})

test('the same run is not shared between two hosts while it is under way', () => {
  const { directory } = busyHost()
  const other = openTestHistory(directory, { isProcessAlive: alive, machine: 'here' })
  const spec = makeSpec({ dataflows: ['fa2', 'fa3'] })
  expect(other.history.start(spec, false).queued).toHaveLength(2)
})

test('this very process is seen as alive, and one that never was is not', () => {
  const { directory, history } = openTestHistory()
  history.start(makeSpec(), false)
  const other = openTestHistory(directory)
  expect(other.history.recoverCrashed()).toEqual([])
  other.db.exec('UPDATE host SET pid = 2147483646')
  expect(other.history.recoverCrashed()).toEqual([1])
})
