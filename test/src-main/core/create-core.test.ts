import { setTimeout } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { dataflows } from '#shared/mapping/dataflow.ts'
import { MODEL_VERSION } from '#shared/model-version.ts'
import { openTestCore } from '#test/support/main-core.ts'
import { kernelExperiment } from '#test/support/kernel-experiment.ts'
import { makeDocument, makeInput, makeSpec, makeSpecNamed } from '#test/support/main-inputs.ts'
import { launchRealWorker } from '#test/support/main-launch.ts'
import { forkScript, killHard, nextMessage } from '#test/support/main-processes.ts'
import { temporaryDirectory } from '#test/support/main-temporary-directory.ts'

// Processes are started, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

test('says what it is', async () => {
  const { ask, directory } = openTestCore({ host: 'desktop' })
  expect(await ask('app:info', null)).toEqual({
    host: 'desktop',
    appVersion: '1.2.3',
    modelVersion: MODEL_VERSION,
    schemaVersion: 1,
    dataDirectory: directory,
    storage: { kind: 'ready' },
  })
})

describe('an experiment', () => {
  test('is run in the real worker, told about, stored, and found again after a restart', async () => {
    const first = openTestCore({ launchWorker: launchRealWorker })
    const spec = makeSpec({ dataflows: ['fa2', 'fa3'] })
    const started = await first.ask('experiment:start', { spec, again: false })
    expect(started).toEqual({ experimentId: 1, reused: false })
    await Promise.all([first.until('done', 1), first.until('done', 2)])
    const kinds = first.events.flatMap(({ type, payload }) =>
      type === 'job:event' ? [`${payload.kind} ${String(payload.runId)}`] : [],
    )
    expect(kinds.filter(kind => !kind.startsWith('progress'))).toEqual([
      'queued 1',
      'queued 2',
      'started 1',
      'done 1',
      'started 2',
      'done 2',
    ])
    await first.core.close()

    const second = openTestCore({ dataDirectory: first.directory })
    expect(await second.getRun(1, 1)).toMatchObject({
      status: 'done',
      document: makeDocument(makeSpec()),
    })
    expect(await second.ask('experiment:start', { spec, again: false })).toEqual({
      experimentId: 1,
      reused: true,
    })
  })

  test('with the dataflow left open keeps the chosen one, and is the same as if it was named', async () => {
    const { ask, until, getRun } = openTestCore()
    const auto = { ...makeSpec(), dataflows: ['auto' as const] }
    expect(await ask('experiment:start', { spec: auto, again: false })).toEqual({
      experimentId: 1,
      reused: false,
    })
    await until('done', 1)
    const { dataflow } = await getRun(1)
    expect(dataflows).toContain(dataflow)
    const { spec } = kernelExperiment(await ask('experiment:get', { id: 1 }))
    expect(spec.dataflows).toEqual([dataflow])
    expect(await ask('experiment:start', { spec, again: false })).toMatchObject({ reused: true })
    expect(await ask('experiment:start', { spec: auto, again: false })).toMatchObject({
      reused: true,
    })
  })

  test('is refused with the reasons where no dataflow can run', async () => {
    const { core } = openTestCore()
    const mapping = { sliceRows: 4096, sliceCols: 4096 }
    const spec = { ...makeSpec({ mapping }), dataflows: ['auto'] }
    expect(await core.dispatch('experiment:start', { spec, again: false })).toMatchObject({
      ok: false,
      code: 'infeasible',
    })
  })

  test('tells the pages that the list has changed', async () => {
    const { ask, until, events } = openTestCore()
    const changes = () => events.filter(({ type }) => type === 'history:changed').length
    await ask('experiment:start', { spec: makeSpec(), again: false })
    await until('done', 1)
    await expect.poll(changes).toBeGreaterThan(0)
    await setTimeout(100)
    const before = changes()
    await ask('experiment:annotate', { id: 1, note: 'n', tags: ['t'] })
    await ask('experiment:trash', { ids: [1] })
    await expect.poll(changes).toBeGreaterThan(before)
  })

  test('goes to the trash, comes back, is deleted', async () => {
    const { ask, core, until } = openTestCore()
    await ask('experiment:start', { spec: makeSpec(), again: false })
    await until('done', 1)
    await ask('experiment:rename', { id: 1, name: 'Renamed' })
    expect(await core.dispatch('experiment:delete', { ids: [1] })).toMatchObject({
      ok: false,
      code: 'bad-input',
    })
    await ask('experiment:trash', { ids: [1] })
    expect(await ask('experiment:list', { trashed: false })).toEqual([])
    await ask('experiment:restore', { ids: [1] })
    expect(await ask('experiment:list', { trashed: false })).toMatchObject([{ name: 'Renamed' }])
    await ask('experiment:trash', { ids: [1] })
    await ask('experiment:delete', { ids: [1] })
    expect(await core.dispatch('experiment:get', { id: 1 })).toEqual({
      ok: false,
      code: 'not-found',
      message: 'there is no experiment 1 in the history',
    })
  })

  test('that is deleted while it runs stops its worker', async () => {
    const { ask, until } = openTestCore()
    await ask('experiment:start', { spec: makeSpecNamed('endless'), again: false })
    await until('progress', 1)
    await ask('experiment:trash', { ids: [1] })
    await ask('experiment:delete', { ids: [1] })
    expect(await until('cancelled', 1)).toEqual({ kind: 'cancelled', runId: 1 })
  })
})

describe('a run', () => {
  test('is cancelled while it runs and while it waits', async () => {
    const { ask, until, getRun } = openTestCore()
    await ask('experiment:start', { spec: makeSpecNamed('endless'), again: false })
    await ask('experiment:start', { spec: makeSpecNamed('quick', 3), again: false })
    await until('progress', 1)
    await ask('job:cancel', { runId: 2 })
    expect((await getRun(2)).status).toBe('cancelled')
    await ask('job:cancel', { runId: 1 })
    await until('cancelled', 1)
    expect((await getRun(1)).status).toBe('cancelled')
    await ask('job:cancel', { runId: 1 })
  })

  test('whose worker dies is crashed, with the reason', async () => {
    const { ask, until, getRun } = openTestCore()
    await ask('experiment:start', { spec: makeSpecNamed('exits'), again: false })
    await until('crashed', 1)
    const message = 'the worker process ended with exit code 3 before it had a result'
    expect(await getRun(1)).toMatchObject({ status: 'crashed', message, document: null })
  })

  test('that cannot be done is failed, with the numbers', async () => {
    const { ask, until, getRun } = openTestCore()
    await ask('experiment:start', { spec: makeSpecNamed('infeasible'), again: false })
    await until('failed', 1)
    const message = 'needs 512 KiB of L1, the tile has 384 KiB'
    expect(await getRun(1)).toMatchObject({ status: 'failed', message })
  })

  test('that does not exist cannot be cancelled', async () => {
    const { core } = openTestCore()
    expect(await core.dispatch('job:cancel', { runId: 5 })).toEqual({
      ok: false,
      code: 'not-found',
      message: 'there is no run 5',
    })
  })
})

describe('close', () => {
  test('stops what runs, keeps it as cancelled, and answers no more', async () => {
    const first = openTestCore()
    await first.ask('experiment:start', { spec: makeSpecNamed('endless'), again: false })
    await first.until('progress', 1)
    await Promise.all([first.core.close(), first.core.close()])
    expect(await first.core.dispatch('app:info', null)).toMatchObject({ code: 'disconnected' })
    const second = openTestCore({ dataDirectory: first.directory })
    expect(await second.getRun(1)).toMatchObject({
      status: 'cancelled',
      message: 'Tessera was closed',
    })
  })
})

describe('two hosts on one history', () => {
  test('a host that is killed leaves a crashed run, which can be run again', async () => {
    const dataDirectory = temporaryDirectory()
    const host = forkScript('main-host-process.ts', [dataDirectory])
    await nextMessage(host)
    await killHard(host)
    const { getRun, ask } = openTestCore({ dataDirectory })
    expect(await getRun(1)).toMatchObject({
      status: 'crashed',
      message: 'the process that ran it ended before there was a result',
    })
    const spec = { ...makeSpecNamed('quick'), name: 'Again' }
    expect(await ask('experiment:start', { spec, again: false })).toEqual({
      experimentId: 1,
      reused: false,
    })
  })

  test('a host that lives keeps its run, and only it can cancel it', async () => {
    const dataDirectory = temporaryDirectory()
    const host = forkScript('main-host-process.ts', [dataDirectory])
    await nextMessage(host)
    const { core, getRun } = openTestCore({ dataDirectory })
    expect((await getRun(1)).status).toBe('running')
    expect(await core.dispatch('job:cancel', { runId: 1 })).toEqual({
      ok: false,
      code: 'not-found',
      message: `run 1 belongs to another Tessera (process ${String(host.pid)}): cancel it there`,
    })
    await core.close()
    await nextMessage(host)
    await killHard(host)
  })
})

describe('an estimate', () => {
  test('is answered at once', async () => {
    const { ask } = openTestCore()
    expect(await ask('attention:estimate', makeInput())).toEqual({
      kind: 'estimate',
      document: makeDocument(),
    })
  })

  test('says why something is infeasible', async () => {
    const { ask } = openTestCore()
    const input = makeInput()
    const { chip } = input
    const tiny = { ...chip, l1: { ...chip.l1, capacityKiB: 1 } }
    const mapping = { sliceRows: 4096, sliceCols: 4096 }
    expect(await ask('attention:estimate', { ...input, chip: tiny, mapping })).toMatchObject({
      kind: 'infeasible',
      message: expect.stringMatching(/KiB|bytes|L1/i) as unknown,
    })
  })
})

describe('a report', () => {
  test('is printed by the host, each experiment once', async () => {
    const printed: (readonly number[])[] = []
    const { ask } = openTestCore({
      printReport: ids => {
        printed.push(ids)
        return Promise.resolve({ kind: 'saved', path: '/tmp/report.pdf' })
      },
    })
    await ask('experiment:start', { spec: makeSpec(), again: false })
    expect(await ask('report:export', { experimentIds: [1, 1] })).toEqual({
      kind: 'saved',
      path: '/tmp/report.pdf',
    })
    expect(printed).toEqual([[1]])
  })

  test('of an experiment that does not exist is refused', async () => {
    const { core } = openTestCore()
    expect(await core.dispatch('report:export', { experimentIds: [4] })).toMatchObject({
      ok: false,
      code: 'not-found',
    })
  })
})
