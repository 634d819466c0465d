import { describe, expect, test } from 'vitest'
import { gh200Note, rooflinePoints, roofsOf, runBars } from '#renderer/results/chart-bars.ts'
import { finishedRuns } from '#renderer/results/run-view.ts'
import { makeDocument, makeInput } from '#test/src-renderer/support/make-document.ts'
import { makeExperiment, makeRun } from '#test/src-renderer/support/make-experiment.ts'

const runsOf = (...documents: ReturnType<typeof makeDocument>[]) =>
  finishedRuns([makeExperiment({ runs: documents.map(document => makeRun({ document })) })])

test('a bar has the numbers of its run, each in its place', () => {
  const numbers = { matrixUtilization: 0.5, hbmBandwidthUtilization: 0.25, seconds: 0.003 }
  const document = makeDocument({ ...numbers, hbmReadBytes: 7, hbmWriteBytes: 5 })
  const { breakdown } = document.result
  expect(runBars(runsOf(document))).toEqual([
    { ...numbers, label: expect.any(String) as string, breakdown, readBytes: 7, writeBytes: 5 },
  ])
})

describe('measured points', () => {
  test('the same shape on a GH200 is drawn once for all runs', () => {
    const points = rooflinePoints(runsOf(makeDocument(), makeDocument()))
    expect(points.filter(point => point.origin !== 'simulated')).toEqual([
      {
        label: 'GH200, measured, D 128 S 4,096',
        arithmeticIntensity: 2048,
        flopsPerSecond: 638e12,
        origin: 'measured',
      },
    ])
  })

  test('a shape that was not measured has none', () => {
    const { workload } = makeInput()
    const other = makeDocument({}, { workload: { ...workload, causal: true } })
    expect(rooflinePoints(runsOf(other)).some(point => point.origin !== 'simulated')).toBe(false)
    expect(gh200Note(runsOf(other))).toBe(
      'GH200: no point, nothing of this kind was measured; its roof is drawn for reference.',
    )
  })

  test('a length between two measured ones has an interpolated point, and says so', () => {
    const { workload } = makeInput()
    const between = { ...workload, queryLength: 3072, kvLength: 3072 }
    const runs = runsOf(makeDocument({}, { workload: between }))
    const [point] = rooflinePoints(runs).filter(({ origin }) => origin === 'interpolated')
    expect(point?.label).toBe('GH200, interpolated, D 128 S 3,072')
    expect(point?.flopsPerSecond).toBeGreaterThan(625e12)
    expect(point?.flopsPerSecond).toBeLessThan(638e12)
    expect(gh200Note(runs)).toContain('throughput interpolated between S 2,048 and 4,096')
  })

  test('the note names each shape once', () => {
    const note = gh200Note(runsOf(makeDocument(), makeDocument()))
    expect(note.match(/measured;/g)).toHaveLength(1)
  })
})

test('there is one roof for each chip, and that of the GH200', () => {
  const small = makeDocument({ peakFlopsPerSecond: 1e14 })
  expect(roofsOf(runsOf(makeDocument(), makeDocument(), small)).map(roof => roof.name)).toEqual([
    'FlatAttention 2026, 2 TB/s',
    'FlatAttention 2026, 2 TB/s',
    'GH200 peak',
  ])
})
