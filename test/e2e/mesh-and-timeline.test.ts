import { expect, test } from 'vitest'
import { useApplication } from '#test/support/e2e-application.ts'
import { chooseDataflows, typeValue, waitForEstimates, waitForRuns } from '#test/support/e2e-lab.ts'

const application = useApplication()

test('a run of the event engine shows its mesh over time, and the timeline of a tile', async () => {
  const page = await application.open('/lab')
  await waitForEstimates(page)
  for (const edge of ['west', 'north', 'east', 'south']) {
    const field = page.getByTestId('panel-chip').getByTestId(`field-hbm.channels.${edge}`)
    if ((await field.locator('input').inputValue()) !== '0') {
      await typeValue(page, 'chip', `hbm.channels.${edge}`, '8')
    }
  }
  await typeValue(page, 'chip', 'tiles.x', '8')
  await typeValue(page, 'chip', 'tiles.y', '8')
  await typeValue(page, 'workload', 'queryLength', '1024')
  await chooseDataflows(page, ['flat-hc', 'flat-async'])
  await page.getByTestId('run').click()
  await waitForRuns(page)
  await page.getByTestId('run-event').click()
  await page.getByTestId('mesh-panel').waitFor()
  await waitForRuns(page)

  const map = page.getByTestId('mesh-map')
  await map.locator('canvas').scrollIntoViewIfNeeded()
  const painted = () => map.locator('canvas').evaluate(it => (it as HTMLCanvasElement).toDataURL())
  const whole = await painted()
  const time = page.getByTestId('mesh-time')
  await time.focus()
  await page.keyboard.press('ArrowRight')
  expect(await page.getByTestId('mesh-span').innerText()).toMatch(/^From [\d,.]+ k?cycles/)
  await expect.poll(painted).not.toBe(whole)

  await map.focus()
  await page.keyboard.press('ArrowRight')
  expect(await page.getByTestId('mesh-tooltip').innerText()).toContain('Tile 1, 0')
  await page.keyboard.press('Enter')
  expect(await page.getByTestId('mesh-selected').count()).toBe(2)

  await page.getByTestId('timeline-other').selectOption({ index: 1 })
  await page.getByTestId('timeline-load').click()
  const timelines = page.getByTestId('timeline')
  await expect.poll(() => timelines.count()).toBe(2)
  const [first, second] = await timelines.all()
  const span = async (at = first) =>
    Number(await at?.getAttribute('data-to')) - Number(await at?.getAttribute('data-from'))
  const before = await span()
  await first?.focus()
  await page.keyboard.press('+')
  await page.keyboard.press('+')
  await expect.poll(() => span()).toBeCloseTo(before / 1.6 ** 2, 3)
  expect(await span(second)).toBe(await span())
  expect(await page.getByTestId('phase-table').innerText()).toContain('row maxima')
})
