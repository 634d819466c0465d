import { describe, expect, test } from 'vitest'
import { rooflinePoints, roofsOf, runBars } from '#renderer/results/chart-bars.ts'
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
    expect(points.filter(point => point.isMeasured)).toEqual([
      {
        label: 'GH200, measured, D 128 S 4096',
        arithmeticIntensity: 2048,
        flopsPerSecond: 638e12,
        isMeasured: true,
      },
    ])
  })

  test('a shape that was not measured has none', () => {
    const { workload } = makeInput()
    const other = makeDocument({}, { workload: { ...workload, causal: true } })
    expect(rooflinePoints(runsOf(other)).some(point => point.isMeasured)).toBe(false)
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
