import { expect, test } from 'vitest'
import { seriousViolations } from '#test/support/e2e-axe.ts'
import { useApplication } from '#test/support/e2e-application.ts'
import { labInput, waitForEstimates } from '#test/support/e2e-lab.ts'
import { importFinished } from '#test/support/e2e-seed.ts'

const application = useApplication()

test('the palette goes to a page, runs a command and opens an experiment', async () => {
  await importFinished(application.dataDirectory, { name: 'Night run' })
  const page = await application.open()
  await waitForEstimates(page)
  const hash = () => page.evaluate(() => window.location.hash)
  const choose = async (query: string) => {
    await page.keyboard.press('Control+k')
    await page.getByTestId('palette-input').and(page.locator(':focus')).waitFor()
    await page.keyboard.type(query)
    await page.keyboard.press('Enter')
    await page.getByTestId('palette').waitFor({ state: 'hidden' })
  }

  await choose('go wafer')
  await expect.poll(hash).toBe('#/wafer')
  await choose('dark')
  await expect
    .poll(() => page.evaluate(() => document.documentElement.classList.contains('dark')))
    .toBe(true)
  await page.keyboard.press('Control+k')
  await page.getByTestId('palette-input').fill('night')
  await page.getByTestId('palette-experiment-1').waitFor()
  expect(await seriousViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect.poll(hash).toBe('#/experiments/1')
})

test('the focus comes back to where it was when the palette is left', async () => {
  const page = await application.open()
  await waitForEstimates(page)
  const batch = labInput(page, 'workload', 'batch')
  await batch.focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Escape')
  await page.getByTestId('palette').waitFor({ state: 'hidden' })
  expect(await batch.evaluate(element => element === document.activeElement)).toBe(true)
})

test('keys that were set in the settings work after the page is loaded again', async () => {
  const page = await application.open('/settings')
  await page.getByTestId('shortcut-go.history').getByRole('button').first().click()
  await page.keyboard.press('Alt+Shift+J')
  await page.getByTestId('shortcut-go.history').getByText('Alt+Shift+J').waitFor()
  await page.reload()
  await page.getByTestId('settings-page').waitFor()
  await page.keyboard.press('Alt+Shift+J')
  await expect.poll(() => page.evaluate(() => window.location.hash)).toBe('#/history')
})
