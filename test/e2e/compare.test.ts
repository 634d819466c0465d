import { beforeAll, describe, expect, test } from 'vitest'
import type { AttentionExperiment } from '#shared/ipc/contract.ts'
import { metricDelta } from '#shared/results/compare.ts'
import { metricById } from '#shared/results/metric.ts'
import { chipPresets } from '#shared/presets/presets.ts'
import { formatPercent } from '#shared/units/format.ts'
import { useApplication } from '#test/support/e2e-application.ts'
import { chartData } from '#test/support/e2e-chart.ts'
import { metricButton, metricCell, runKey, showExperiment } from '#test/support/e2e-result.ts'
import { importFinished, presetConfig } from '#test/support/e2e-seed.ts'

const application = useApplication()
const { dataDirectory } = application
let narrow: AttentionExperiment
let wide: AttentionExperiment
let first: string
let second: string

beforeAll(async () => {
  const chip = presetConfig(chipPresets, 'flat-2026')
  const channels = { ...chip.hbm.channels, south: 64 }
  const dataflows = ['fa3', 'flat-async'] as const
  const changes = { dataflows: [...dataflows] }
  narrow = await showExperiment(
    dataDirectory,
    await importFinished(dataDirectory, { ...changes, name: '32 channels' }),
  )
  const chipOf64 = { ...chip, hbm: { ...chip.hbm, channels } }
  wide = await showExperiment(
    dataDirectory,
    await importFinished(dataDirectory, { ...changes, name: '64 channels', chip: chipOf64 }, 1),
  )
  first = runKey(narrow.id, { dataflow: 'fa3' })
  second = runKey(wide.id, { dataflow: 'fa3' })
})

const openComparison = async () => {
  const ids = [narrow.id, wide.id].join(',')
  const page = await application.open(`/compare?experiments=${ids}`)
  await page.getByTestId('compare-table').waitFor()
  return page
}

describe('a comparison of two experiments', () => {
  test('lists the fields that differ, and only those', async () => {
    const page = await openComparison()
    const rows = page.getByTestId('configuration-differences').locator('tbody tr')
    expect(await rows.evaluateAll(all => all.map(row => row.getAttribute('data-path')))).toEqual([
      'chip.hbm.channels.south',
    ])
    expect(await rows.first().innerText()).toMatch(/32 channels\s+64 channels/)
  })

  test('tells each difference by arrow, sign and word', async () => {
    const page = await openComparison()
    const [from, to] = [narrow, wide].map(
      ({ runs }) => runs.find(({ dataflow }) => dataflow === 'fa3')?.document?.result,
    )
    if (from === undefined || to === undefined) throw new Error('fa3 has no result')
    for (const id of ['runtime', 'matrix.utilization', 'hbm.traffic']) {
      const metric = metricById(id)
      const { change = Number.NaN, verdict } = metricDelta(
        metric,
        metric.value(from),
        metric.value(to),
      )
      const arrow = change > 0 ? '▲ +' : '▼ '
      const expected = change === 0 ? '= equal' : `${arrow}${formatPercent(change)} ${verdict}`
      expect(await metricCell(page, id, second).getByTestId('delta').innerText()).toBe(expected)
    }
    expect(await metricCell(page, 'runtime', first).getByTestId('delta').count()).toBe(0)
  })

  test('changes its baseline, which is part of the address', async () => {
    const page = await openComparison()
    const before = await metricCell(page, 'runtime', second).getByTestId('delta').innerText()
    expect(before).toMatch(/^▼ -.* better$/)
    await page.getByTestId(`baseline-${second}`).click()
    await metricCell(page, 'runtime', second).getByTestId('delta').waitFor({ state: 'detached' })
    const delta = metricCell(page, 'runtime', first).getByTestId('delta')
    await expect.poll(() => delta.innerText()).toMatch(/^▲ \+.* worse$/)
    await page.reload()
    await expect.poll(() => delta.innerText()).toMatch(/^▲ \+.* worse$/)
    expect(await metricButton(page, 'speed-up', second).innerText()).toBe('1×')
  })

  test('draws every run', async () => {
    const page = await openComparison()
    const [matrix] = await chartData(page, 'breakdown')
    expect(matrix?.data).toHaveLength(4)
  })

  test('says so when one of them is gone', async () => {
    const page = await application.open(`/compare?experiments=${String(narrow.id)},999`)
    await page.getByText('These cannot be compared').waitFor()
    expect(await page.getByTestId('empty-state').innerText()).toContain('999')
  })
})
