import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { dataflows } from '#shared/mapping/dataflow.ts'
import { chipPresets, workloadPresets } from '#shared/presets/presets.ts'
import { hbmTrafficBytes } from '#shared/results/metric.ts'
import { runInputs } from '#shared/schema/attention-input.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { formatBytes, formatPercent, formatSeconds } from '#shared/units/format.ts'
import { useApplication } from '#test/support/e2e-application.ts'
import {
  chooseDataflows,
  estimateOf,
  labField,
  labInput,
  typeValue,
  waitForEstimates,
} from '#test/support/e2e-lab.ts'
import { makeSpec } from '#test/support/e2e-seed.ts'

const application = useApplication()

describe('on the first visit', () => {
  test.each([
    { route: '/history', title: 'Nothing has been run yet', next: 'Go to the Lab' },
    { route: '/trash', title: 'The trash is empty', next: 'Go to the history' },
    { route: '/compare', title: 'Nothing is selected', next: 'Go to the history' },
  ])('$route is empty and says what to do', async ({ route, title, next }) => {
    const page = await application.open(route)
    const state = page.getByTestId('empty-state')
    await state.getByRole('heading', { name: title }).waitFor()
    await state.getByRole('link', { name: next }).click()
    await expect.poll(() => page.url()).toContain(next === 'Go to the Lab' ? '#/lab' : '#/history')
  })

  test('the Lab offers every preset', async () => {
    const page = await application.open()
    const titlesOf = (part: string) => page.getByTestId(`preset-${part}`).locator('option')
    await expect
      .poll(() => titlesOf('chip').allInnerTexts())
      .toEqual(chipPresets.map(({ title }) => title))
    expect(await titlesOf('workload').allInnerTexts()).toEqual(
      workloadPresets.map(({ title }) => title),
    )
  })
})

describe('the estimate', () => {
  test('is there at once, with the numbers of the model', async () => {
    const page = await application.open()
    await waitForEstimates(page)
    for (const input of runInputs(makeSpec())) {
      const { result } = estimateAttention(input)
      const row = estimateOf(page, input.dataflow)
      expect(await row.getByTestId('runtime').innerText()).toBe(formatSeconds(result.seconds))
      expect(await row.getByTestId('utilization').innerText()).toBe(
        formatPercent(result.matrixUtilization),
      )
      expect(await row.getByTestId('traffic').innerText()).toBe(
        formatBytes(hbmTrafficBytes(result), 3),
      )
    }
  })

  test('follows what is typed, and undo takes it back', async () => {
    const page = await application.open()
    await waitForEstimates(page)
    const runtime = estimateOf(page, 'flat-async').getByTestId('runtime')
    const before = await runtime.innerText()

    await typeValue(page, 'workload', 'queryLength', '2048')
    expect(await labInput(page, 'workload', 'kvLength').inputValue()).toBe('2048')
    const { workload, ...rest } = makeSpec({ dataflows: ['flat-async'] })
    const [input] = runInputs({
      ...rest,
      workload: { ...workload, queryLength: 2048, kvLength: 2048 },
    })
    const expected = input === undefined ? Number.NaN : estimateAttention(input).result.seconds
    expect(await runtime.innerText()).toBe(formatSeconds(expected))
    expect(await page.getByTestId('changes-workload').innerText()).toContain('2 changed')

    await page.keyboard.press('Control+z')
    await expect.poll(() => runtime.innerText()).toBe(before)
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(() => runtime.innerText()).toBe(formatSeconds(expected))
  })

  test('changes with the preset of the chip', async () => {
    const page = await application.open()
    await waitForEstimates(page)
    const runtime = estimateOf(page, 'fa3').getByTestId('runtime')
    const before = await runtime.innerText()
    await page.getByTestId('preset-chip').selectOption('flat-2026-4tb')
    await expect.poll(() => runtime.innerText()).not.toBe(before)
    expect(await labInput(page, 'chip', 'hbm.channels.south').inputValue()).toBe('64')
  })

  test('shows the numbers of a mapping that does not fit in L1', async () => {
    const page = await application.open()
    await page.getByTestId('override-mapping').click()
    await labInput(page, 'mapping', 'sliceRows').fill('256')
    await typeValue(page, 'mapping', 'sliceCols', '256')
    const message = estimateOf(page, 'flat-async').getByTestId('infeasible')
    expect(await message.innerText()).toMatch(/256.*KiB.*384 KiB/s)
  })
})

describe('a value that is not allowed', () => {
  const notAllowed: readonly { text: string; says: string }[] = [
    { text: '0', says: 'must be a whole number from 1 to' },
    { text: '-1', says: 'must be a whole number from 1 to' },
    { text: '1.5', says: 'must be a whole number from 1 to' },
    { text: '1e308', says: 'must be a whole number from 1 to' },
    { text: '1e999', says: 'is too large: must be a whole number from 1 to' },
    { text: 'NaN', says: 'is not a number: must be a whole number from 1 to' },
    { text: 'many', says: 'is not a number: must be a whole number from 1 to' },
    { text: '', says: 'is empty: must be a whole number from 1 to' },
  ]

  test('is named beside the field, and nothing can be run', async () => {
    const page = await application.open()
    await waitForEstimates(page)
    const input = labInput(page, 'workload', 'batch')
    const problem = labField(page, 'workload', 'batch').getByTestId('field-problem')
    for (const { text, says } of notAllowed) {
      await input.fill(text)
      await expect.poll(() => problem.innerText(), { message: text }).toContain(says)
      expect(await input.getAttribute('aria-invalid')).toBe('true')
      expect(await page.getByTestId('run').isDisabled()).toBe(true)
      expect(await page.getByTestId('estimate-panel').getAttribute('data-state')).toBe('old')
      expect(await page.getByTestId('estimate-problems').innerText()).toContain('workload.batch')
    }

    await page.keyboard.press('Control+Enter')
    await typeValue(page, 'workload', 'batch', '2')
    expect(page.url()).toContain('#/lab')
    expect(await problem.count()).toBe(0)
    expect(await page.getByTestId('run').isEnabled()).toBe(true)
  })

  test('heads that cannot be shared out name both numbers and what is allowed', async () => {
    const page = await application.open()
    await labInput(page, 'workload', 'variant').selectOption('gqa')
    await labInput(page, 'workload', 'heads').fill('12')
    await labInput(page, 'workload', 'kvHeads').fill('8')
    const problem = labField(page, 'workload', 'kvHeads').getByTestId('field-problem')
    await problem.waitFor()
    expect(await problem.innerText()).toMatch(/12 heads.*8 KV heads.*1, 2, 3, 4, 6, 12/)
  })

  test('no dataflow at all is asked for', async () => {
    const page = await application.open()
    await chooseDataflows(page, [])
    await page.getByText('Choose at least one dataflow.').waitFor()
    expect(await page.getByTestId('run').isDisabled()).toBe(true)
    await chooseDataflows(page, dataflows)
    expect(await page.getByTestId('run').innerText()).toBe('Run 6 simulations')
  })
})

describe('a configuration from a file', () => {
  const importWorkload = (page: Page, text: string) =>
    page.getByTestId('import-file-workload').setInputFiles({
      name: 'workload.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    })

  test('is taken over', async () => {
    const { workload } = makeSpec()
    const page = await application.open()
    await importWorkload(page, JSON.stringify({ ...workload, name: 'Mine', batch: 7 }))
    await expect.poll(() => labInput(page, 'workload', 'batch').inputValue()).toBe('7')
    await waitForEstimates(page)
    expect(await page.getByTestId('experiment-name').getAttribute('placeholder')).toContain('Mine')
  })

  test('is refused with the reason where it is wrong, and nothing changes', async () => {
    const { workload } = makeSpec()
    const page = await application.open()
    const problems = page.getByTestId('import-problems-workload')
    for (const [text, says] of [
      [JSON.stringify(workload).slice(0, 60), 'This is no JSON'],
      [JSON.stringify({ ...workload, colour: 'red' }), 'colour'],
      [JSON.stringify({ ...workload, batch: 0 }), 'workload.batch'],
      ['[1, 2]', 'workload'],
    ] as const) {
      await importWorkload(page, text)
      await expect.poll(() => problems.innerText()).toContain(says)
      expect(await labInput(page, 'workload', 'batch').inputValue()).toBe('2')
      await problems.getByRole('button', { name: 'Dismiss' }).click()
    }
  })
})
