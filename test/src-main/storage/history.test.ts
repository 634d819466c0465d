import { describe, expect, test } from 'vitest'
import { MODEL_VERSION } from '#shared/model-version.ts'
import { countRows, openTestHistory, startAndFinish } from '#test/support/main-history.ts'
import { kernelExperiment } from '#test/support/kernel-experiment.ts'
import { makeDocument, makeInput, makeSpec, makeSpecOfBatch } from '#test/support/main-inputs.ts'

describe('the open runs', () => {
  test('are those that wait or run, as they were queued, with the newest experiment', () => {
    const { history, wait } = openTestHistory()
    startAndFinish(history, makeSpec())
    const first = history.start(makeSpecOfBatch(5), false)
    wait(1)
    const second = history.start({ ...makeSpecOfBatch(7), name: 'Second' }, false)
    history.runStarted(first.queued[0]?.runId ?? 0)
    expect(history.openRuns()).toEqual([
      expect.objectContaining({ experimentId: first.experimentId, status: 'running' }),
      {
        id: second.queued[0]?.runId,
        experimentId: second.experimentId,
        name: 'Second',
        dataflow: 'fa3',
        status: 'queued',
      },
    ])
    history.trash([second.experimentId])
    expect(history.openRuns().map(({ experimentId }) => experimentId)).toEqual([first.experimentId])
  })

  test('that two experiments share stand there once, under the newer one', () => {
    const { history } = openTestHistory()
    const one = history.start(makeSpec({ dataflows: ['fa2', 'fa3'] }), false)
    const two = history.start(makeSpec({ dataflows: ['fa3'] }), false)
    expect(two.queued).toEqual([])
    expect(history.openRuns().map(({ experimentId }) => experimentId)).toEqual([
      one.experimentId,
      two.experimentId,
    ])
  })
})

describe('an experiment', () => {
  test('holds its runs in the order of the dataflows, with their documents', () => {
    const { history } = openTestHistory()
    const spec = makeSpec({ dataflows: ['flat-async', 'fa3'] })
    const experiment = kernelExperiment(history.get(startAndFinish(history, spec)))
    expect(experiment).toMatchObject({
      name: 'Trial',
      note: '',
      tags: [],
      createdAtMs: 1_000_000,
      trashedAtMs: null,
      spec,
    })
    expect(experiment.runs.map(run => run.dataflow)).toEqual(['flat-async', 'fa3'])
    expect(experiment.runs[1]).toMatchObject({
      status: 'done',
      modelVersion: MODEL_VERSION,
      stale: false,
      startedAtMs: 1_000_000,
      elapsedMs: 5,
      message: null,
      document: makeDocument(makeSpec({ dataflows: ['fa3'] })),
    })
  })

  test('without a name is called after its workload and chip', () => {
    const { history } = openTestHistory()
    const { chip, workload } = makeSpec()
    const one = history.start(makeSpec({ name: '' }), false).experimentId
    expect(history.get(one).name).toBe(`${workload.name} on ${chip.name}, FlashAttention-3`)
    const two = history.start(makeSpec({ name: '', dataflows: ['fa2', 'fa3'] }), false)
    expect(history.get(two.experimentId).name).toBe(`${workload.name} on ${chip.name}`)
  })

  test('is listed with numbers but without documents, newest first', () => {
    const { history, wait } = openTestHistory()
    const first = startAndFinish(history, makeSpec())
    wait(1)
    const second = history.start(makeSpecOfBatch(7), false).experimentId
    const { result } = makeDocument()
    const list = history.list(false)
    expect(list.map(({ id }) => id)).toEqual([second, first])
    expect(list[0]?.runs).toEqual([
      { id: 2, dataflow: 'fa3', status: 'queued', seconds: null, matrixUtilization: null },
    ])
    expect(list[1]).toEqual({
      id: first,
      name: 'Trial',
      note: '',
      tags: [],
      createdAtMs: 1_000_000,
      trashedAtMs: null,
      kind: 'attention',
      chipName: makeSpec().chip.name,
      workloadName: makeSpec().workload.name,
      runs: [
        {
          id: 1,
          dataflow: 'fa3',
          status: 'done',
          seconds: result.seconds,
          matrixUtilization: result.matrixUtilization,
        },
      ],
    })
  })

  test('is renamed, in its specification too', () => {
    const { history } = openTestHistory()
    const id = startAndFinish(history, makeSpec())
    history.rename(id, `O'Hara "β"`)
    expect(history.get(id).name).toBe(`O'Hara "β"`)
    expect(kernelExperiment(history.get(id)).spec).toEqual(makeSpec({ name: `O'Hara "β"` }))
  })

  test('gets a note and tags, each once', () => {
    const { history } = openTestHistory()
    const id = startAndFinish(history, makeSpec())
    history.annotate(id, 'slow', ['a', 'b', 'a'])
    expect(history.get(id)).toMatchObject({ note: 'slow', tags: ['a', 'b'] })
  })

  test('that does not exist is named in the error', () => {
    const { history } = openTestHistory()
    const error = 'there is no experiment 9 in the history'
    expect(() => history.get(9)).toThrow(error)
    expect(() => {
      history.rename(9, 'x')
    }).toThrow(error)
    expect(() => history.remove([9])).toThrow(error)
  })
})

describe('the same input', () => {
  test('is found instead of being run again', () => {
    const { history } = openTestHistory()
    const first = startAndFinish(history, makeSpec())
    expect(history.start(makeSpec({ name: 'Other name' }), false)).toEqual({
      experimentId: first,
      reused: true,
      queued: [],
    })
  })

  test('is found while it still runs', () => {
    const { history } = openTestHistory()
    const { experimentId } = history.start(makeSpec(), false)
    expect(history.start(makeSpec(), false)).toMatchObject({ experimentId, reused: true })
  })

  test('is run again when asked for, and kept beside the first', () => {
    const { history } = openTestHistory()
    const first = startAndFinish(history, makeSpec())
    const again = history.start(makeSpec(), true)
    expect(again.reused).toBe(false)
    expect(again.experimentId).not.toBe(first)
    expect(again.queued).toHaveLength(1)
  })

  test('is run once for two experiments that share it', () => {
    const { history, db } = openTestHistory()
    startAndFinish(history, makeSpec())
    const wider = history.start(makeSpec({ dataflows: ['fa2', 'fa3'] }), false)
    expect(wider.reused).toBe(false)
    expect(wider.queued.map(({ input }) => input.dataflow)).toEqual(['fa2'])
    expect(countRows(db, 'run')).toBe(2)
  })

  test('bears the names of the experiment that shows it', () => {
    const { history } = openTestHistory()
    startAndFinish(history, makeSpec())
    const spec = makeSpec({ dataflows: ['fa3', 'fa2'] })
    const renamed = { ...spec, chip: { ...spec.chip, name: 'Mine' } }
    const id = startAndFinish(history, renamed)
    const names = kernelExperiment(history.get(id)).runs.map(run => run.document?.input.chip.name)
    expect(names).toEqual(['Mine', 'Mine'])
  })

  test('of an older model is stale, and is run again', () => {
    const { history, db } = openTestHistory()
    const id = startAndFinish(history, makeSpec())
    db.exec(`UPDATE run SET model_version = '1999.1.0', input_sha256 = '${'0'.repeat(64)}';
             UPDATE experiment SET runs_sha256 = '${'1'.repeat(64)}'`)
    expect(history.get(id).runs[0]?.stale).toBe(true)
    expect(history.start(makeSpec(), false).queued).toHaveLength(1)
  })

  test.each(['cancelled', 'crashed'] as const)('that was %s runs again in its place', status => {
    const { history, db } = openTestHistory()
    const spec = makeSpec({ dataflows: ['fa2', 'fa3'] })
    const { experimentId, queued } = history.start(spec, false)
    for (const { runId } of queued) history.runEnded(runId, { status, message: 'why' })
    expect(history.get(experimentId).runs[0]).toMatchObject({ status, message: 'why' })
    const second = history.start(spec, false)
    expect(second).toMatchObject({ experimentId, reused: false })
    expect(second.queued.map(({ input }) => input.dataflow)).toEqual(['fa2', 'fa3'])
    expect(history.get(experimentId).runs.map(run => run.status)).toEqual(['queued', 'queued'])
    expect(countRows(db, 'run')).toBe(2)
  })

  test('that failed stands: it would fail again', () => {
    const { history } = openTestHistory()
    const { experimentId, queued } = history.start(makeSpec(), false)
    history.runEnded(queued[0]?.runId ?? 0, { status: 'failed', message: 'does not fit' })
    expect(history.start(makeSpec(), false)).toEqual({ experimentId, reused: true, queued: [] })
    expect(history.start(makeSpec(), true).queued).toHaveLength(1)
  })
})

describe('the trash', () => {
  test('takes experiments off the list and gives them back', () => {
    const { history } = openTestHistory()
    const id = startAndFinish(history, makeSpec())
    history.trash([id])
    expect(history.list(false)).toEqual([])
    expect(history.list(true)).toMatchObject([{ id, trashedAtMs: 1_000_000 }])
    history.restore([id])
    expect(history.list(true)).toEqual([])
    expect(history.list(false)).toMatchObject([{ id, trashedAtMs: null }])
  })

  test('is not searched for the same input, but its runs are not run again', () => {
    const { history } = openTestHistory()
    const id = startAndFinish(history, makeSpec())
    history.trash([id])
    const started = history.start(makeSpec(), false)
    expect(started.experimentId).not.toBe(id)
    expect(started.queued).toEqual([])
  })

  test('takes all or none', () => {
    const { history } = openTestHistory()
    const id = startAndFinish(history, makeSpec())
    expect(() => {
      history.trash([id, 99])
    }).toThrow('there is no experiment 99')
    expect(history.list(true)).toEqual([])
  })

  test('is the only place from which something is deleted', () => {
    const { history } = openTestHistory()
    const kept = startAndFinish(history, makeSpec())
    const trashed = startAndFinish(history, makeSpecOfBatch(3))
    history.trash([trashed])
    expect(() => history.remove([trashed, kept])).toThrow(
      `experiment ${String(kept)} is not in the trash`,
    )
    expect(history.list(true)).toHaveLength(1)
    history.remove([trashed, trashed])
    expect(history.list(true)).toEqual([])
    expect(history.list(false)).toHaveLength(1)
  })
})

test('a shared run is deleted with the last experiment that links it, document and all', () => {
  const { history, db } = openTestHistory()
  const narrow = startAndFinish(history, makeSpec())
  const wide = startAndFinish(history, makeSpec({ dataflows: ['fa2', 'fa3'] }))
  history.trash([narrow, wide])
  expect(history.remove([wide])).toEqual([2])
  expect(history.get(narrow).runs[0]?.document).toEqual(makeDocument())
  expect(history.remove([narrow])).toEqual([1])
  expect(countRows(db, 'run')).toBe(0)
  expect(countRows(db, 'run_document')).toBe(0)
  expect(countRows(db, 'experiment_run')).toBe(0)
})

test('the result of a run that was deleted meanwhile is dropped', () => {
  const { history } = openTestHistory()
  const { experimentId, queued } = history.start(makeSpec(), false)
  history.trash([experimentId])
  history.remove([experimentId])
  const outcome = { status: 'done', document: makeDocument(), elapsedMs: 1 } as const
  expect(history.runEnded(queued[0]?.runId ?? 0, outcome)).toBe(false)
})

test('a result that is there is not taken back', () => {
  const { history } = openTestHistory()
  const { experimentId, queued } = history.start(makeSpec(), false)
  const runId = queued[0]?.runId ?? 0
  const document = makeDocument()
  expect(history.runEnded(runId, { status: 'done', document, elapsedMs: 1 })).toBe(true)
  expect(history.runEnded(runId, { status: 'cancelled', message: 'late' })).toBe(false)
  expect(history.runEnded(runId, { status: 'done', document, elapsedMs: 2 })).toBe(false)
  expect(history.get(experimentId).runs[0]).toMatchObject({ status: 'done', elapsedMs: 1 })
})

describe('a run of the command line', () => {
  test('is kept as an experiment of its own, and found by its input', () => {
    const { history } = openTestHistory()
    const document = makeDocument()
    expect(history.findRun(document.input)).toBeUndefined()
    const recorded = history.recordRun(document, 12)
    expect(recorded.reused).toBe(false)
    expect(history.findRun(document.input)).toEqual({
      runId: recorded.runId,
      experimentIds: [recorded.experimentId],
      document,
    })
    expect(history.get(recorded.experimentId)).toMatchObject({
      runs: [{ status: 'done', startedAtMs: 999_988, elapsedMs: 12, document }],
    })
  })

  test('is kept once, unless asked for again', () => {
    const { history } = openTestHistory()
    const first = history.recordRun(makeDocument(), 12)
    expect(history.recordRun(makeDocument(), 13)).toEqual({ ...first, reused: true })
    const again = history.recordRun(makeDocument(), 13, { again: true })
    expect(again.reused).toBe(false)
    expect(again.runId).not.toBe(first.runId)
  })

  test('that the app has run with other dataflows is linked, not stored twice', () => {
    const { history, db } = openTestHistory()
    startAndFinish(history, makeSpec({ dataflows: ['fa2', 'fa3'] }))
    history.recordRun(makeDocument(), 12)
    expect(countRows(db, 'run')).toBe(2)
    expect(countRows(db, 'experiment')).toBe(2)
  })

  test('is found under the name that was asked with', () => {
    const { history } = openTestHistory()
    history.recordRun(makeDocument(), 12)
    const input = makeInput()
    const renamed = { ...input, chip: { ...input.chip, name: 'Mine' } }
    expect(history.findRun(renamed)?.document.input.chip.name).toBe('Mine')
  })
})

test('a list of thousands does not read a single document', () => {
  const { history, db } = openTestHistory()
  startAndFinish(history, makeSpec())
  db.exec('DROP TABLE run_document')
  expect(history.list(false)).toHaveLength(1)
})
