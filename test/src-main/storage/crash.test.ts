import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openTestHistory } from '#test/support/main-history.ts'
import { forkScript, killHard, nextMessage } from '#test/support/main-processes.ts'
import { temporaryDirectory } from '#test/support/main-temporary-directory.ts'

test('a process that is killed while it writes leaves a sound database, and loses nothing it has reported', async () => {
  const directory = temporaryDirectory()
  let reported = 0
  for (const firstBatch of [1, 1001, 2001]) {
    const writer = forkScript('main-writer-process.ts', [directory, String(firstBatch)])
    await nextMessage(writer)
    reported++
    writer.on('message', () => reported++)
    await setTimeout(100 + Math.random() * 50)
    await killHard(writer)
  }
  const { db, history } = openTestHistory(directory)
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(db.pragma('foreign_key_check')).toEqual([])
  const list = history.list(false)
  expect(list.length).toBeGreaterThanOrEqual(reported)
  for (const { id, runs } of list) {
    expect(runs).toHaveLength(1)
    expect(history.get(id).runs[0]?.document).not.toBeNull()
  }
}, 30_000)

test('two processes that write at once do not disturb each other', async () => {
  const directory = temporaryDirectory()
  const writers = [1, 1001].map(first =>
    forkScript('main-writer-process.ts', [directory, String(first)]),
  )
  const counts = writers.map(() => 0)
  writers.forEach((writer, index) => {
    writer.on('message', () => (counts[index] = (counts[index] ?? 0) + 1))
  })
  await Promise.all(writers.map(nextMessage))
  await setTimeout(200)
  expect(writers.map(({ exitCode }) => exitCode)).toEqual([null, null])
  await Promise.all(writers.map(killHard))
  expect(Math.min(...counts)).toBeGreaterThan(0)
  const { db } = openTestHistory(directory)
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
}, 30_000)
