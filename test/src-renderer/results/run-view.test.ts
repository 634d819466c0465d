import { describe, expect, test } from 'vitest'
import { baselineOf, finishedRuns, letterOf } from '#renderer/results/run-view.ts'
import { makeExperiment, makeRun } from '#test/src-renderer/support/make-experiment.ts'

describe('labels', () => {
  const first = makeExperiment({ id: 1, runs: [makeRun({ dataflow: 'fa2' })] })
  const second = makeExperiment({ id: 2, runs: [makeRun({ dataflow: 'fa2' })] })

  test('are the dataflow within one experiment', () => {
    expect(finishedRuns([first]).map(run => run.label)).toEqual(['FlashAttention-2'])
  })

  test('carry the letter of the experiment among several', () => {
    expect(finishedRuns([first, second]).map(run => run.label)).toEqual([
      'A · FlashAttention-2',
      'B · FlashAttention-2',
    ])
  })

  test.each([
    [0, 'A'],
    [25, 'Z'],
    [26, 'AA'],
    [701, 'ZZ'],
    [702, 'AAA'],
  ])('experiment %d is %s', (index, letter) => {
    expect(letterOf(index)).toBe(letter)
  })
})

test('runs without a result are left out', () => {
  const experiment = makeExperiment({
    runs: [makeRun({ document: null, status: 'failed' }), makeRun({ dataflow: 'fa3' })],
  })
  expect(finishedRuns([experiment]).map(run => run.key)).toEqual(['1:fa3'])
})

test('a baseline that is not there gives way to the first run', () => {
  const runs = finishedRuns([makeExperiment()])
  expect(baselineOf(runs, '99:fa2')).toBe(runs[0])
  expect(baselineOf([], undefined)).toBeUndefined()
})
