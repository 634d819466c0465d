import { describe, expect, test } from 'vitest'
import { useApplication } from '#test/support/e2e-application.ts'
import { chartData } from '#test/support/e2e-chart.ts'
import { labInput, waitForEstimates } from '#test/support/e2e-lab.ts'

const application = useApplication()

describe('studies', () => {
  test('group scale is there at a click, with published points and what is seen', async () => {
    const page = await application.open('/')
    await page.getByTestId('nav-studies').click()
    await page.getByTestId('study-result').waitFor()
    expect(await page.getByTestId('study-findings').innerText()).toContain('over-flattened')
    const names = (await chartData(page, 'group-runtime')).map(({ name }) => name)
    expect(names).toContain('S 512, published')
    expect(await page.getByTestId('chart-group-runtime').locator('figure svg').count()).toBe(1)
  })

  test('the chip of the Lab is taken as it is edited there', async () => {
    const page = await application.open('/lab')
    await labInput(page, 'chip', 'l1.capacityKiB').fill('16')
    await waitForEstimates(page)
    await page.getByTestId('nav-studies').click()
    await page.getByTestId('study-slice').click()
    await page.getByTestId('study-chip').selectOption('lab')
    await expect
      .poll(() => page.getByTestId('study-findings').innerText())
      .toContain('no slice fits in 16 KiB')
  })

  test('a chart is a table at a click, and an image that can be saved', async () => {
    const page = await application.open('/studies?study=collectives')
    const chart = page.getByTestId('chart-collective-time')
    await chart.locator('figure svg').waitFor()
    const download = page.waitForEvent('download')
    await chart.getByTestId('chart-save').click()
    expect((await download).suggestedFilename()).toBe('multicast-time-over-the-size.png')
    await chart.getByTestId('chart-as-table').click()
    expect(await chart.getByTestId('chart-table').locator('tbody tr').count()).toBe(11)
  })
})

describe('what to change next', () => {
  test('a step is tried on the chip of the Lab, and undone', async () => {
    const page = await application.open('/lab')
    await page.getByTestId('sensitivity-open').click()
    await page.getByTestId('sensitivity-clockGHz').getByRole('button').first().click()
    await expect.poll(() => labInput(page, 'chip', 'clockGHz').inputValue()).toBe('1.0615')
    await page.getByTestId('undo').click()
    await expect.poll(() => labInput(page, 'chip', 'clockGHz').inputValue()).toBe('0.965')
  })

  test('each estimate says whether kernels like it were validated, and leads to the set', async () => {
    const page = await application.open('/lab')
    await waitForEstimates(page)
    const badge = page.getByTestId('estimate-flat-async').getByTestId('regime-badge')
    expect(await badge.getAttribute('data-regime')).toBe('inside')
    await badge.click()
    await page.getByTestId('validation-detail').waitFor()
    expect(await page.getByTestId('validation-detail').getAttribute('data-set')).toBe(
      'fig8-dataflows-2025',
    )
  })
})
