import { expect, test } from 'vitest'
import { launchNodeWorker } from '#main/jobs/node-endpoint.ts'
import { unpackTimeline } from '#shared/results/packed-timeline.ts'
import { countRows } from '#test/support/main-history.ts'
import { openDatabase } from '#main/storage/open-database.ts'
import { openTestCore } from '#test/support/main-core.ts'
import { makeSpec } from '#test/support/main-inputs.ts'

const base = makeSpec()
const small = makeSpec({
  engine: 'event',
  chip: { ...base.chip, tiles: { x: 8, y: 8 } },
  workload: {
    ...base.workload,
    variant: 'mha',
    batch: 1,
    heads: 4,
    kvHeads: 4,
    queryLength: 512,
    kvLength: 512,
  },
  dataflows: ['flat-hc'],
})
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

test('a run of the event engine is kept with its values over time beside it, once', async () => {
  const { ask, until, directory } = openTestCore({
    launchWorker: () => launchNodeWorker('src-main/jobs/worker.ts'),
  })
  const { experimentId } = await ask('experiment:start', { spec: small, again: false })
  const [queued] = (await ask('experiment:get', { id: experimentId })).runs
  const runId = queued?.id ?? 0
  await until('done', runId)
  const experiment = await ask('experiment:get', { id: experimentId })
  if (experiment.kind !== 'attention') throw new Error('not a kernel')
  expect(experiment.spec.engine).toBe('event')
  const event = experiment.runs[0]?.document?.event
  expect(event?.activity).toBeUndefined()

  const db = openDatabase(directory)
  expect(countRows(db, 'run_activity')).toBe(1)
  const activity = await ask('event:activity', { runId })
  expect(activity.tiles.matrix).toHaveLength(64)
  activity.links.bytes.forEach((series, link) => {
    expect(sum(series)).toBeCloseTo(event?.links.bytes[link] ?? Number.NaN, 0)
  })
  db.exec('DELETE FROM run_activity')
  expect(await ask('event:activity', { runId })).toEqual(activity)
  expect(countRows(db, 'run_activity')).toBe(1)

  const timeline = unpackTimeline(await ask('event:timeline', { runId, tiles: [0, 9] }))
  expect(new Set(timeline.map(({ tile }) => tile))).toEqual(new Set([0, 9]))
  const loads = timeline.filter(({ name }) => name === 'load of K')
  expect(loads.every(({ bytes }) => (bytes ?? 0) > 0)).toBe(true)
  await expect(ask('event:timeline', { runId, tiles: [64] })).rejects.toThrow(
    'tiles: must be from 0 to 63, got 64',
  )
  await ask('experiment:trash', { ids: [experimentId] })
  await ask('experiment:delete', { ids: [experimentId] })
  expect(countRows(db, 'run_activity')).toBe(0)
  db.close()
})

test('a run of the phase engine has nothing over time, and one that is not there neither', async () => {
  const { ask, until } = openTestCore()
  const { experimentId } = await ask('experiment:start', { spec: base, again: false })
  const runId = (await ask('experiment:get', { id: experimentId })).runs[0]?.id ?? 0
  await until('done', runId)
  await expect(ask('event:activity', { runId })).rejects.toThrow(
    'must be a kernel that the event engine has run',
  )
  await expect(ask('event:timeline', { runId: 999, tiles: [0] })).rejects.toThrow('of a run 999')
})
