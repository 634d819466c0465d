import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { gh200Baseline } from '#shared/baselines/gh200.ts'
import type { AttentionExperiment } from '#shared/ipc/contract.ts'
import { achievedFlopsPerSecond } from '#shared/results/metric.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import { formatQuantity } from '#shared/units/format.ts'
import { useApplication } from '#test/support/e2e-application.ts'
import { chartData, drawnShapes } from '#test/support/e2e-chart.ts'
import { tesseraJson } from '#test/support/e2e-command.ts'
import { shownExperimentId, waitForEstimates, waitForRuns } from '#test/support/e2e-lab.ts'
import { makeWorkload } from '#test/support/make-workload.ts'
import { metricButton, metricTexts, runKey, showExperiment } from '#test/support/e2e-result.ts'
import { importFinished } from '#test/support/e2e-seed.ts'

const application = useApplication()
const { dataDirectory } = application
let experiment: AttentionExperiment

beforeAll(async () => {
  experiment = await showExperiment(dataDirectory, await importFinished(dataDirectory))
})

const openResult = async (): Promise<Page> => {
  const page = await application.open(`/experiments/${String(experiment.id)}`)
  await page.getByTestId('result-table').waitFor()
  return page
}

describe('the table', () => {
  test('shows every number of the stored documents', async () => {
    const page = await openResult()
    for (const run of experiment.runs) {
      for (const { id, text } of metricTexts(run)) {
        const number = metricButton(page, id, runKey(experiment.id, run))
        expect(await number.innerText(), `${id} of ${run.dataflow}`).toBe(text)
      }
    }
  })

  test('of a run from the Lab has the cycles that the command line computes', async () => {
    const page = await application.open()
    await page.getByTestId('preset-chip').selectOption('flat-2025')
    await waitForEstimates(page)
    await page.getByTestId('run').click()
    const id = await shownExperimentId(page)
    await waitForRuns(page)
    await page.getByTestId('result-table').waitFor()
    for (const dataflow of ['fa3', 'flat-async'] as const) {
      const { result } = (await tesseraJson(dataDirectory, [
        ...['attention', '--no-save', '--chip', 'flat-2025'],
        ...['--workload', 'mha-prefill-d128-s4096', '--dataflow', dataflow],
      ])) as AttentionDocument
      const number = metricButton(page, 'cycles', runKey(id, { dataflow }))
      expect(await number.innerText()).toBe(formatQuantity(result.cycles, 'cycles'))
    }
  })

  test('measures the speed-up against the baseline that is chosen', async () => {
    const page = await openResult()
    const speedUpOf = (dataflow: 'fa2' | 'fa3') =>
      metricButton(page, 'speed-up', runKey(experiment.id, { dataflow })).innerText()
    expect(await speedUpOf('fa2')).toBe('1×')
    await page.getByTestId(`baseline-${runKey(experiment.id, { dataflow: 'fa3' })}`).click()
    await expect.poll(() => speedUpOf('fa3')).toBe('1×')
    expect(await speedUpOf('fa2')).not.toBe('1×')
  })
})

describe('the charts', () => {
  test('have the data of the documents', async () => {
    const page = await openResult()
    const results = experiment.runs.flatMap(run => run.document?.result ?? [])
    const seconds = (await chartData(page, 'breakdown')).map(series => series.data as number[])
    results.forEach((result, index) => {
      const sum = seconds.reduce((total, data) => total + (data[index] ?? Number.NaN), 0)
      expect(sum).toBeCloseTo(result.seconds, 12)
    })
    const [read, written] = await chartData(page, 'traffic')
    expect(read?.data).toEqual(results.map(result => result.hbmReadBytes))
    expect(written?.data).toEqual(results.map(result => result.hbmWriteBytes))
    const [matrix, memory] = await chartData(page, 'utilization')
    expect(matrix?.data).toEqual(results.map(result => result.matrixUtilization))
    expect(memory?.data).toEqual(results.map(result => result.hbmBandwidthUtilization))
    const simulated = (await chartData(page, 'roofline')).find(({ name }) => name === 'Simulated')
    expect(simulated?.data).toEqual(
      results.map(result => [result.arithmeticIntensity, achievedFlopsPerSecond(result)]),
    )
  })

  test('are drawn: each bar and each point has an area', async () => {
    const page = await openResult()
    const runs = experiment.runs.length
    const shapeCount = async (chart: string, color: string) =>
      (await drawnShapes(page, chart)).get(color) ?? 0
    await expect.poll(() => shapeCount('breakdown', '#0072b2')).toBeGreaterThanOrEqual(runs)
    await expect.poll(() => shapeCount('traffic', '#0072b2')).toBeGreaterThanOrEqual(runs)
    await expect.poll(() => shapeCount('traffic', '#56b4e9')).toBeGreaterThanOrEqual(runs)
    await expect.poll(() => shapeCount('utilization', '#56b4e9')).toBeGreaterThanOrEqual(runs)
    await expect.poll(() => shapeCount('roofline', '#0072b2')).toBeGreaterThanOrEqual(runs)
    await expect.poll(() => shapeCount('roofline', '#d55e00')).toBeGreaterThanOrEqual(1)
  })

  test('the roofline has the measured point of the same shape', async () => {
    const page = await openResult()
    const known = gh200Baseline(makeWorkload())
    const tflops = known.kind === 'measured' ? known.tflops : Number.NaN
    const measured = (await chartData(page, 'roofline')).find(({ name }) => name === 'Measured')
    const [first] = (measured?.data ?? []) as [number, number][]
    expect(measured?.data).toHaveLength(1)
    expect(first?.[1]).toBe(tflops * 1e12)
    await page.getByTestId('chart-roofline').getByText('GH200, measured').waitFor()
  })
})

describe('the explanation of a number', () => {
  test('opens by mouse with formula, values and source, and Escape gives the focus back', async () => {
    const page = await openResult()
    const key = runKey(experiment.id, { dataflow: 'flat-async' })
    const number = metricButton(page, 'hbm.read', key)
    await number.click()
    const drawer = page.getByRole('dialog')
    await drawer.getByTestId('explanation-formula').waitFor()

    const stored = experiment.runs
      .find(({ dataflow }) => dataflow === 'flat-async')
      ?.document?.explanation.find(({ field }) => field === 'hbmReadBytes')
    expect(stored).toBeDefined()
    expect(await drawer.getByTestId('explanation-formula').innerText()).toContain(stored?.formula)
    expect(await drawer.getByTestId('explanation-term').count()).toBe(stored?.terms.length)
    expect(await drawer.getByTestId('explanation-source').innerText()).toBe(stored?.source)
    expect(await drawer.getByTestId('explanation-value').innerText()).toContain(
      await number.innerText(),
    )

    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await expect.poll(() => number.evaluate(node => node === document.activeElement)).toBe(true)
  })

  test('opens by keyboard, and the focus goes into it', async () => {
    const page = await openResult()
    const number = metricButton(page, 'runtime', runKey(experiment.id, { dataflow: 'fa3' }))
    await number.focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog')
    await drawer.getByTestId('explanation-formula').waitFor()
    await expect
      .poll(() => drawer.evaluate(node => node.contains(document.activeElement)))
      .toBe(true)
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await expect.poll(() => number.evaluate(node => node === document.activeElement)).toBe(true)
  })

  test('there is one for each number that the model computes', async () => {
    const page = await openResult()
    const cells = page.locator(
      'tr[data-testid^="metric-"]:not([data-testid^="metric-mapping."], [data-testid="metric-bound"]) td',
    )
    expect(await cells.count()).toBeGreaterThan(100)
    const silent = await cells.evaluateAll(all =>
      all.flatMap(cell =>
        cell.querySelector('button') === null
          ? [cell.closest('tr')?.getAttribute('data-testid') ?? 'a row without a name']
          : [],
      ),
    )
    expect([...new Set(silent)]).toEqual([])
  })
})

test('an experiment that does not exist is said to be missing', async () => {
  const page = await application.open('/experiments/999')
  const state = page.getByTestId('empty-state')
  await state.getByText('This result cannot be shown').waitFor()
  expect(await state.innerText()).toContain('999')
})
