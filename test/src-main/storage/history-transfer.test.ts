import { describe, expect, test } from 'vitest'
import { kernelExperiment } from '#test/support/kernel-experiment.ts'
import { openTestHistory, startAndFinish, type TestHistory } from '#test/support/main-history.ts'
import { makeDocument, makeInput, makeSpec, makeSpecOfBatch } from '#test/support/main-inputs.ts'

/** A file with one experiment of two runs, one that failed, and one that still runs. */
function exported(): { file: unknown; source: TestHistory } {
  const source = openTestHistory()
  const { history } = source
  const id = startAndFinish(history, makeSpec({ dataflows: ['fa2', 'fa3'] }))
  history.annotate(id, 'a note', ['tag'])
  const [failed] = history.start(makeSpecOfBatch(3), false).queued
  history.runEnded(failed?.runId ?? 0, { status: 'failed', message: 'does not fit' })
  history.start(makeSpecOfBatch(4), false)
  return { file: throughJson(history.exportFile('all', '1.2.3')), source }
}

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('a file says what it is', () => {
  expect(exported().file).toMatchObject({
    format: 'tessera-history',
    schemaVersion: 1,
    appVersion: '1.2.3',
    exportedAtMs: 1_000_000,
  })
})

test('an empty history takes in everything', () => {
  const { file, source } = exported()
  const { history } = openTestHistory()
  expect(history.importFile(file)).toEqual({ importedIds: [1, 2, 3], skipped: 0 })
  expect(history.get(1)).toEqual(source.history.get(1))
  expect(history.get(2)).toEqual(source.history.get(2))
  expect(history.get(3).runs[0]).toMatchObject({
    status: 'crashed',
    message: 'it was not over when the history was exported',
  })
})

test('a result of another model version is taken as it is: it cannot be computed here', () => {
  const { history } = openTestHistory()
  const input = makeInput()
  const modelVersion = 'older'
  const { history: source } = openTestHistory()
  source.recordRun({ ...makeDocument(), modelVersion }, 1)
  const file = throughJson(source.exportFile('all', '1')) as {
    experiments: { runs: { document: { result: { seconds: number } } }[] }[]
  }
  const run = file.experiments[0]?.runs[0]
  if (run !== undefined) run.document.result.seconds = 42
  history.importFile(file)
  expect(history.get(1).runs[0]).toMatchObject({ stale: true, document: { modelVersion } })
  expect(kernelExperiment(history.get(1)).runs[0]?.document?.result.seconds).toBe(42)
  expect(history.findRun(input)).toBeUndefined()
})

test('a second import skips everything', () => {
  const { file, source } = exported()
  const { history } = openTestHistory()
  history.importFile(file)
  expect(history.importFile(file)).toEqual({ importedIds: [], skipped: 3 })
  expect(source.history.importFile(file)).toEqual({ importedIds: [], skipped: 3 })
  expect(history.list(false)).toHaveLength(3)
})

test('what lies in the trash is taken in again', () => {
  const { file, source } = exported()
  source.history.trash([1])
  expect(source.history.importFile(file).importedIds).toHaveLength(1)
})

test('a run that is here already is linked, not stored twice', () => {
  const { file } = exported()
  const { history } = openTestHistory()
  const { runId } = history.recordRun(makeDocument(), 1)
  history.importFile(file)
  const imported = history.list(false).find(({ runs }) => runs.length === 2)
  expect(imported?.runs.map(({ id }) => id)).toContain(runId)
})

test('only the experiments that were named are exported, and they must exist', () => {
  const { history } = exported().source
  expect(history.exportFile([2], '1').experiments.map(({ runs }) => runs.length)).toEqual([1])
  expect(() => history.exportFile([2, 77], '1')).toThrow('there is no experiment 77')
})

describe('a file that is refused', () => {
  type Edit = (file: {
    experiments: { [key: string]: unknown; runs: Record<string, unknown>[] }[]
  }) => void
  const firstRun =
    (edit: (run: Record<string, unknown>) => void): Edit =>
    file => {
      const run = file.experiments[0]?.runs[0]
      if (run !== undefined) edit(run)
    }
  const inDocument = (key: string, edit: (part: Record<string, unknown>) => void): Edit =>
    firstRun(run => {
      edit((run.document as Record<string, Record<string, unknown>>)[key] ?? {})
    })

  test.each<[string, Edit, string]>([
    [
      'another format',
      file => Object.assign(file, { format: 'other' }),
      'format: must be "tessera-history", got "other"',
    ],
    [
      'a newer schema',
      file => Object.assign(file, { schemaVersion: 2 }),
      'schemaVersion: must be 1, got 2',
    ],
    [
      'an unknown key',
      file => Object.assign(file, { extra: 1 }),
      'unknown key "extra"; known are format, schemaVersion',
    ],
    [
      'an unknown status',
      firstRun(run => {
        run.status = 'running'
      }),
      'experiments[0].runs[0].status: must be one of done, failed, cancelled, crashed, got "running"',
    ],
    [
      'a hash that is not that of the input',
      firstRun(run => {
        run.inputSha256 = '0'.repeat(64)
      }),
      'experiments[0].runs[0].inputSha256: must be ',
    ],
    [
      'a dataflow that the experiment does not have',
      firstRun(run => {
        run.dataflow = 'flat-sc'
      }),
      'experiments[0].runs[0].dataflow: must be one of fa2, fa3, got flat-sc',
    ],
    [
      'a negative time',
      inDocument('result', result => {
        result.seconds = -1
      }),
      'experiments[0].runs[0].document.result.seconds: must be at least 0, got -1',
    ],
    [
      'an infinite number',
      inDocument('result', result => {
        result.cycles = Infinity
      }),
      'experiments[0].runs[0].document.result.cycles: must be a finite number, got Infinity',
    ],
    [
      'a document of another input',
      inDocument('input', input => {
        input.mapping = { groupX: 2 }
      }),
      'experiments[0].runs[0].document.input: must be the input of the experiment for fa2',
    ],
    [
      'a utilisation above 1',
      inDocument('result', result => {
        result.matrixUtilization = 1.5
      }),
      'experiments[0].runs[0].document.result.matrixUtilization: must be at most 1, got 1.5',
    ],
    [
      'a moment beyond all calendars',
      file => Object.assign(file.experiments[0] ?? {}, { createdAtMs: 9e15 }),
      'experiments[0].createdAtMs: must be at most 8640000000000000, got 9000000000000000',
    ],
    [
      'a result that the model does not compute',
      inDocument('result', result => {
        result.seconds = 1e-9
      }),
      'experiments[0].runs[0].document.result.seconds: must be 0.0',
    ],
    [
      'a mapping that the model does not choose',
      inDocument('result', result => {
        result.mapping = { ...(result.mapping as object), groupX: 3 }
      }),
      'experiments[0].runs[0].document.result.mapping.groupX: must be 1, which model ',
    ],
    [
      'a part of the breakdown twice',
      inDocument('result', result => {
        result.breakdown = Array<unknown>(7).fill({ component: 'matrix', seconds: 0 })
      }),
      'experiments[0].runs[0].document.result.breakdown[1].component: must be vector, which ',
    ],
    [
      'a breakdown with more parts than there are',
      inDocument('result', result => {
        const breakdown = result.breakdown as unknown[]
        breakdown.push(breakdown[0])
      }),
      'experiments[0].runs[0].document.result.breakdown: must have 7 entries, got 8',
    ],
    [
      'an endless model version',
      firstRun(run => {
        run.modelVersion = 'v'.repeat(101)
      }),
      'experiments[0].runs[0].modelVersion: must have at most 100 characters',
    ],
    [
      'a document that SQLite cannot hold',
      inDocument('result', result => {
        result.extra = JSON.parse('['.repeat(1500) + ']'.repeat(1500)) as unknown
      }),
      'experiments[0].runs[0].document: must not be nested more than 100 levels deep',
    ],
    [
      'two runs for one dataflow',
      file => {
        file.experiments[0]?.runs.push(file.experiments[0].runs[0] ?? {})
      },
      'experiments[0].runs: must have one run for each dataflow',
    ],
  ])('%s', (_, edit, message) => {
    const { file } = exported()
    edit(file as Parameters<Edit>[0])
    const { history } = openTestHistory()
    expect(() => history.importFile(file)).toThrow(message)
    expect(history.list(false)).toEqual([])
  })

  test.each([null, 3, [], 'text'])('the value %j', value => {
    const { history } = openTestHistory()
    expect(() => history.importFile(value)).toThrow(/^input: must be an object/)
  })

  test('leaves nothing behind when the last experiment is the bad one', () => {
    const { file } = exported()
    const { experiments } = file as { experiments: { createdAtMs: number }[] }
    const last = experiments.at(-1)
    if (last !== undefined) last.createdAtMs = -1
    const { history } = openTestHistory()
    expect(() => history.importFile(file)).toThrow('experiments[2].createdAtMs: must be at least 0')
    expect(history.list(false)).toEqual([])
  })
})
