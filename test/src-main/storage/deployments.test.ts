import { describe, expect, test } from 'vitest'
import { estimateDecode } from '#shared/simulate/run-decode.ts'
import { HistoryError } from '#main/storage/history-error.ts'
import { makeDecodeInput } from '#test/support/make-decode-input.ts'
import { countRows, openTestHistory, startAndFinish } from '#test/support/main-history.ts'
import { makeSpec } from '#test/support/main-inputs.ts'

const input = makeDecodeInput({ batchPerChip: 64 })
const document = estimateDecode(input)

describe('a deployment', () => {
  test('is kept with its document, and listed beside kernels by the time of a token', () => {
    const { history, wait } = openTestHistory()
    startAndFinish(history, makeSpec())
    wait(1)
    const { experimentId, reused } = history.recordRun(document, 12)
    expect(reused).toBe(false)
    expect(history.get(experimentId)).toMatchObject({
      kind: 'decode',
      input,
      runs: [{ status: 'done', document, stale: false, elapsedMs: 12 }],
    })
    expect(history.list(false).map(({ kind }) => kind)).toEqual(['decode', 'attention'])
    expect(history.list(false)[0]).toMatchObject({
      chipName: input.system.name,
      workloadName: input.model.name,
      runs: [{ dataflow: 'flat', status: 'done', seconds: document.result.tpotSeconds }],
    })
  })

  test('is found again by its input, whatever its system is called', () => {
    const { history } = openTestHistory()
    const { experimentId } = history.recordRun(document, 12)
    const renamed = { ...input, system: { ...input.system, name: 'Mine' } }
    expect(history.findRun(renamed)).toMatchObject({
      experimentIds: [experimentId],
      document: { input: renamed, result: document.result },
    })
    expect(history.findRun(makeDecodeInput({ batchPerChip: 65 }))).toBeUndefined()
    expect(history.recordRun(document, 12).experimentId).toBe(experimentId)
  })

  test('can be renamed without touching its input', () => {
    const { history } = openTestHistory()
    const { experimentId } = history.recordRun(document, 12)
    history.rename(experimentId, 'Point of the day')
    expect(history.get(experimentId)).toMatchObject({ name: 'Point of the day', input })
    expect(Object.keys(input)).not.toContain('name')
  })

  test('goes with its document when it is deleted', () => {
    const { history, db } = openTestHistory()
    const { experimentId } = history.recordRun(document, 12)
    history.trash([experimentId])
    history.remove([experimentId])
    expect(['experiment', 'run', 'run_document'].map(table => countRows(db, table))).toEqual([
      0, 0, 0,
    ])
  })
})

describe('an exported file', () => {
  test('carries deployments and kernels to another history, once', () => {
    const { history } = openTestHistory()
    startAndFinish(history, makeSpec())
    history.recordRun(document, 12)
    const file = JSON.parse(JSON.stringify(history.exportFile('all', '1.0.0'))) as unknown
    const other = openTestHistory().history
    expect(other.importFile(file).importedIds).toHaveLength(2)
    expect(other.get(2)).toMatchObject({ kind: 'decode', input, runs: [{ document }] })
    expect(other.importFile(file)).toEqual({ importedIds: [], skipped: 2 })
  })

  test('with a number that this model does not compute is refused as a whole', () => {
    const { history } = openTestHistory()
    history.recordRun(document, 12)
    const file = JSON.parse(
      JSON.stringify(history.exportFile('all', '1.0.0')).replace(
        `"tpotSeconds":${String(document.result.tpotSeconds)}`,
        '"tpotSeconds":0.001',
      ),
    ) as unknown
    const other = openTestHistory().history
    expect(() => other.importFile(file)).toThrow(HistoryError)
    expect(() => other.importFile(file)).toThrow(
      /runs\[0\]\.document\.result\.tpotSeconds: must be/,
    )
    expect(other.list(false)).toEqual([])
  })
})
