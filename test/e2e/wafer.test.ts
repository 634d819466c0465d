import { describe, expect, test } from 'vitest'
import { useApplication } from '#test/support/e2e-application.ts'
import { seriousViolations } from '#test/support/e2e-axe.ts'
import { chartData } from '#test/support/e2e-chart.ts'
import { waferInput, waitForDeployment, waitForWafer } from '#test/support/e2e-wafer.ts'

const application = useApplication()

describe('the published deployment', () => {
  test('is there from the start, with its numbers near the published ones', async () => {
    const page = await application.open('/')
    await page.getByTestId('nav-wafer').click()
    await waitForWafer(page)
    const tpot = parseFloat(await page.getByTestId('wafer-tpot').innerText())
    expect(Math.abs(tpot / 35.8 - 1)).toBeLessThan(0.05)
    const rate = await page.getByTestId('wafer-throughput').innerText()
    expect(Math.abs(parseFloat(rate.replace(',', '')) / 6940 - 1)).toBeLessThan(0.05)
    expect(await page.getByTestId('mesh-chip').count()).toBe(64)
    expect(await page.getByTestId('wafer-kernels').locator('tbody tr').count()).toBe(24)
  })

  test('is one of the points of every split, beside measured systems', async () => {
    const page = await application.open('/wafer')
    await waitForWafer(page)
    const series = await chartData(page, 'trade-off')
    const names = series.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['EP2-PP32', 'EP32-PP2', 'EP64-PP1']))
    expect(series.find(({ name }) => name === 'Measured')?.data).toEqual([
      [50.2, 2325],
      [49.4, 1943],
    ])
    expect(series.find(({ name }) => name === 'This deployment')?.data).toHaveLength(1)
  })
})

describe('a deployment that is kept', () => {
  test('is in the history, has a result page, and can be compared with a kernel', async () => {
    const expectedProblems = /WebSocket|ERR_CONNECTION/
    const page = await application.open('/wafer', { expectedProblems })
    await waitForDeployment(page)
    const tpot = await page.getByTestId('wafer-tpot').innerText()
    await page.getByTestId('save-deployment').click()
    await page.getByTestId('decode-comparison').waitFor()
    expect(await page.getByTestId('wafer-tpot').innerText()).toBe(tpot)
    await page.getByTestId('mesh-chip').first().waitFor()
    expect(await seriousViolations(page)).toEqual([])

    await application.host.kill()
    await application.restart()
    const next = await application.open('/history')
    const row = next.getByTestId('history-row').first()
    await row.waitFor()
    expect(await row.innerText()).toContain('deployment, flat')
    const id = await row.getAttribute('data-experiment')
    await next.goto(`${application.host.url}#/compare?experiments=${String(id)}`)
    await next.getByTestId('decode-comparison').waitFor()
    expect(await next.getByTestId('decode-comparison').innerText()).toContain('CloudMatrix384')
  })
})

describe('a part of a deployment', () => {
  test('attention opens in the Lab as its own experiment, which can be undone', async () => {
    const page = await application.open('/wafer')
    await waitForDeployment(page)
    await page.getByRole('button', { name: 'Open in Lab: attention' }).click()
    const workload = page.getByTestId('panel-workload')
    const batch = workload.getByTestId('field-batch').locator('input')
    await expect.poll(() => batch.inputValue()).toBe('256')
    expect(await workload.getByTestId('field-variant').locator('select').inputValue()).toBe('mla')
    await page.getByTestId('undo').click()
    await expect.poll(() => batch.inputValue()).not.toBe('256')
  })

  test('the chip is edited, and the numbers follow', async () => {
    const page = await application.open('/wafer')
    await waitForDeployment(page)
    const before = await page.getByTestId('wafer-tpot').innerText()
    await page
      .getByTestId('wafer-panel-chip')
      .getByTestId('field-clockGHz')
      .locator('input')
      .fill('1')
    await expect.poll(() => page.getByTestId('wafer-tpot').innerText()).not.toBe(before)
    await page.getByTestId('undo').click()
    await expect.poll(() => page.getByTestId('wafer-tpot').innerText()).toBe(before)
  })
})

describe('a sweep', () => {
  test('shows how far it is, is cancelled, and is made anew on demand', async () => {
    const page = await application.open('/wafer')
    await page.getByTestId('sweep-cancel').click()
    await page.getByTestId('sweep-stopped').waitFor()
    expect(await seriousViolations(page)).toEqual([])
    await page.getByTestId('sweep-start').click()
    await page.getByTestId('sweep-progress').getByText(/\d+ %/).waitFor()
    await waitForWafer(page)
    expect(await page.getByTestId('sweep-progress').count()).toBe(0)
  })
})

describe('edits', () => {
  test('a field changes the numbers; undo brings them back', async () => {
    const page = await application.open('/wafer')
    await waitForDeployment(page)
    const before = await page.getByTestId('wafer-tpot').innerText()
    await waferInput(page, 'deployment', 'batchPerChip').fill('64')
    await expect.poll(() => page.getByTestId('wafer-tpot').innerText()).not.toBe(before)
    await page.getByTestId('undo').click()
    await expect.poll(() => page.getByTestId('wafer-tpot').innerText()).toBe(before)
  })

  test('a click on a point takes it into the form', async () => {
    const page = await application.open('/wafer')
    await waitForWafer(page)
    const figure = page.getByTestId('chart-trade-off')
    await figure.scrollIntoViewIfNeeded()
    // Marks of EP64 have a colour of their own; the topmost is that of the legend.
    const marks = await figure.locator('svg path[fill="#7570b3"]').all()
    const boxes = await Promise.all(marks.map(mark => mark.boundingBox()))
    const heights = boxes.flatMap(box => (box === null ? [] : [box]))
    // The one of batch 128 stands free of all others.
    const free = heights.toSorted((a, b) => a.y - b.y)[3]
    if (free === undefined) throw new Error('EP64 is not drawn')
    await page.mouse.click(free.x + free.width / 2, free.y + free.height / 2)
    await expect
      .poll(() => waferInput(page, 'deployment', 'expertParallel').inputValue())
      .toBe('64')
    await waitForWafer(page)
    await page.getByTestId('undo').click()
    await expect
      .poll(() => waferInput(page, 'deployment', 'expertParallel').inputValue())
      .toBe('32')
  })

  test('a stricter limit has another best point, which can be taken', async () => {
    const page = await application.open('/wafer')
    await waitForWafer(page)
    const before = await page.getByTestId('best-point').innerText()
    await waferInput(page, 'limit', 'sloMs').fill('15')
    await expect.poll(() => page.getByTestId('best-point').innerText()).not.toBe(before)
    await page.getByTestId('take-best').click()
    await waitForWafer(page)
    expect(parseFloat(await page.getByTestId('wafer-tpot').innerText())).toBeLessThan(15)
  })
})

describe('what cannot be', () => {
  test('a batch that does not fit says what is missing and what is nearest', async () => {
    const page = await application.open('/wafer')
    await waitForDeployment(page)
    await waferInput(page, 'deployment', 'batchPerChip').fill('2048')
    const notice = page.getByTestId('wafer-infeasible')
    await notice.waitFor()
    expect(await notice.innerText()).toMatch(/GiB are missing.*nearest that fits/s)
  })

  test('a split that the grid has not is named at its field, with the nearest', async () => {
    const page = await application.open('/wafer')
    await waitForDeployment(page)
    await waferInput(page, 'deployment', 'expertParallel').fill('48')
    const problems = page.getByTestId('wafer-problems')
    await problems.waitFor()
    expect(await problems.innerText()).toContain('nearest is')
  })
})
