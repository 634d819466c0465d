import { expect, test } from 'vitest'
import { useApplication } from '#test/support/e2e-application.ts'
import { chartData } from '#test/support/e2e-chart.ts'

const application = useApplication()

test('the sets of the phase engine are computed on the first visit, and kept', async () => {
  const page = await application.open('/')
  await page.getByTestId('nav-validation').click()
  await page.getByTestId('validation-detail').waitFor()
  expect(await page.getByTestId('validation-sets').locator('tbody tr').count()).toBeGreaterThan(40)
  const before = await page.getByTestId('validation-kept').innerText()
  await page.reload()
  await page.getByTestId('validation-detail').waitFor()
  expect(await page.getByTestId('validation-kept').innerText()).toBe(before)
})

test('a set shows its rows, its errors and the same numbers as a plot', async () => {
  const page = await application.open('/validation?set=fig9-group-scale-2025')
  await page.getByTestId('validation-detail').waitFor()
  const rows = page.getByTestId('validation-rows').locator('tbody tr')
  expect(await rows.count()).toBe(8)
  const [points] = await chartData(page, 'validation')
  expect(points?.data).toHaveLength(8)
  await page.getByTestId('validation-plot').selectOption('parity')
  await expect
    .poll(async () => (await chartData(page, 'validation')).map(({ name }) => name))
    .toContain('10 % more')
})

test('the event engine waits to be asked for, and can be cancelled', async () => {
  const page = await application.open('/validation?engine=event')
  await page.getByTestId('validation-start').click()
  const progress = page.getByTestId('validation-progress')
  await expect.poll(() => progress.innerText()).toMatch(/event engine, part 1 of/)
  await page.getByTestId('validation-cancel').click()
  await expect.poll(() => progress.getAttribute('data-state')).toBe('idle')
})
