import { expect, test } from 'vitest'
import { decodeColumns, decodeRows } from '#renderer/results/decode/decode-columns.ts'
import { formatRatio } from '#shared/units/format.ts'
import { makeDeployment } from '#test/src-renderer/support/make-deployment.ts'

test('kept deployments stand beside the measured ones, with ratios to the first', () => {
  const one = makeDeployment(1)
  const two = makeDeployment(2, { batchPerChip: 64 })
  const columns = decodeColumns([one, two])
  expect(columns.map(({ label }) => label)).toEqual(['A', 'B', 'DS-Prof', 'CloudMatrix384'])
  const throughput = decodeRows(columns)[1]
  const rates = [one, two].map(({ runs }) => runs[0]?.document?.result.tokensPerSecondPerChip ?? 0)
  expect(throughput?.ratios?.[1]).toBe(formatRatio((rates[1] ?? 0) / (rates[0] ?? 1)))
  expect(throughput?.ratios?.[2]).toBe(formatRatio(2325 / (rates[0] ?? 1)))
})

test('what was not measured says so, and has no ratio', () => {
  const rows = decodeRows(decodeColumns([makeDeployment(1)]))
  const layer = rows.find(({ label }) => label === 'Layer')
  expect([layer?.texts[1], layer?.ratios?.[1]]).toEqual(['n/a', ''])
})

test('without a deployment there is nothing', () => {
  expect(decodeRows([])).toEqual([])
})
