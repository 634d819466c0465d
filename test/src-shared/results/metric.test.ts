import { describe, expect, test } from 'vitest'
import type { Explanation } from '#shared/results/explanation.ts'
import { explanationOf, metricById, metrics } from '#shared/results/metric.ts'
import { makeDocument, makeResult } from '#test/src-renderer/support/make-document.ts'

test('ids are unique', () => {
  expect(new Set(metrics.map(metric => metric.id)).size).toBe(metrics.length)
})

test('an unknown id is refused by name', () => {
  expect(() => metricById('speed')).toThrow('no metric is called speed')
})

test('HBM traffic is what is read and what is written', () => {
  expect(metricById('hbm.traffic').value(makeResult({ hbmReadBytes: 5, hbmWriteBytes: 7 }))).toBe(
    12,
  )
})

describe('explanations', () => {
  const { result, explanation } = makeDocument()

  test('a field is explained by the document', () => {
    expect(explanationOf(metricById('runtime'), result, explanation)).toEqual(explanation[0])
  })

  test('a fraction is shown as the percentage that the table shows', () => {
    const utilization = { ...explanation[0], field: 'matrixUtilization', unit: '1' } as Explanation
    expect(explanationOf(metricById('matrix.utilization'), result, [utilization])).toMatchObject({
      unit: '%',
    })
  })

  test('what the document does not explain has no explanation', () => {
    expect(explanationOf(metricById('noc.traffic'), result, explanation)).toBeUndefined()
  })

  test('a derived number is explained by the fields that it follows from', () => {
    expect(explanationOf(metricById('hbm.traffic'), result, explanation)).toMatchObject({
      formula: 'hbmReadBytes + hbmWriteBytes',
      value: 128 * 2 ** 20,
      terms: [{ value: result.hbmReadBytes }, { value: result.hbmWriteBytes }],
    })
  })
})
