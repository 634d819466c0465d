import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reportMarginsMm, reportRoute } from '#main/report/report-layout.ts'
import { appVersion } from '#main/start/app-version.ts'
import type { AttentionExperiment } from '#shared/ipc/contract.ts'
import { MODEL_VERSION } from '#shared/model-version.ts'
import { chipPresets } from '#shared/presets/presets.ts'
import { compare } from '#shared/results/compare.ts'
import { formatPercent } from '#shared/units/format.ts'
import { useApplication } from '#test/support/e2e-application.ts'
import { runTessera } from '#test/support/e2e-command.ts'
import { selectExperiments } from '#test/support/e2e-history.ts'
import { a4Points, pdfFacts, pdfPages, readGreyImage, renderPages } from '#test/support/e2e-pdf.ts'
import { metricTexts, showExperiment } from '#test/support/e2e-result.ts'
import { importFinished, presetConfig } from '#test/support/e2e-seed.ts'

const application = useApplication()
const { dataDirectory } = application
const directory = mkdtempSync(join(tmpdir(), 'tessera-report-'))
const pathOf = (name: string) => join(directory, name)
let first: AttentionExperiment
let second: AttentionExperiment

beforeAll(async () => {
  first = await showExperiment(
    dataDirectory,
    await importFinished(dataDirectory, { name: 'Two terabytes per second' }),
  )
  const changes = {
    name: 'Four terabytes per second',
    chip: presetConfig(chipPresets, 'flat-2026-4tb'),
    dataflows: ['fa3' as const, 'flat-async' as const],
  }
  second = await showExperiment(dataDirectory, await importFinished(dataDirectory, changes, 1))
})
afterAll(() => {
  rmSync(directory, { recursive: true, force: true })
})

/** Texts with one space where the layout has several, line ends included. */
const oneLine = (pages: readonly string[]): string => pages.join(' ').replace(/\s+/g, ' ')

async function expectA4Pages(file: string): Promise<string[]> {
  const { pages, size } = await pdfFacts(file)
  // Chromium rounds the paper up to whole dots of 96 to an inch.
  expect(Math.abs(size[0] - a4Points[0])).toBeLessThan(1)
  expect(Math.abs(size[1] - a4Points[1])).toBeLessThan(1)
  const images = await Promise.all((await renderPages(file)).map(readGreyImage))
  expect(images).toHaveLength(pages)
  for (const { width, height, ink } of images) {
    expect(height / width).toBeCloseTo(Math.SQRT2, 1)
    expect(ink).toBeGreaterThan(0.002)
    expect(ink).toBeLessThan(0.5) // dark pages would not be the light theme
  }
  const texts = await pdfPages(file)
  expect(texts).toHaveLength(pages)
  texts.forEach((text, index) => {
    expect(text).toContain(`Page ${String(index + 1)} of ${String(pages)}`)
  })
  return texts
}

describe('the report of one experiment', () => {
  test('is downloaded from the result page, with everything that belongs in it', async () => {
    const page = await application.open(`/experiments/${String(first.id)}`)
    await page.getByTestId('result-table').waitFor()
    const downloading = page.waitForEvent('download', { timeout: 60_000 })
    await page.getByTestId('export-pdf').click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe(`tessera-report-${String(first.id)}.pdf`)
    const file = pathOf('downloaded.pdf')
    await download.saveAs(file)

    const text = oneLine(await expectA4Pages(file))
    for (const run of first.runs) {
      for (const metric of metricTexts(run)) expect(text).toContain(metric.text)
    }
    const compact = text.replaceAll(' ', '')
    for (const run of first.runs) expect(compact).toContain(run.inputSha256)
    for (const heading of [
      'Results',
      'Charts',
      'Differences from',
      'Configuration',
      'Provenance',
    ]) {
      expect(text).toContain(heading)
    }
    expect(text).toContain(first.name)
    expect(text).toContain(first.spec.workload.name)
    expect(text).toContain(first.spec.chip.name)
    expect(text).toMatch(new RegExp(`Tessera ${appVersion.replaceAll('.', '\\.')}`))
    expect(text).toContain(`Model of the results ${MODEL_VERSION}`)
    expect(text).toMatch(/Schema 1\b/)
    expect(text).toMatch(/Date of this report \d{4}-\d\d-\d\d \d\d:\d\d/)
    expect(text).toContain('GH200')
  })
})

describe('the report of a comparison', () => {
  test('has the differences from the baseline', async () => {
    const file = pathOf('comparison.pdf')
    const { status, stderr } = await runTessera(dataDirectory, [
      ...['report', String(first.id), String(second.id)],
      ...['--out', file],
    ])
    expect(stderr).toContain('report of 2 runs written')
    expect(status).toBe(0)

    const text = oneLine(await expectA4Pages(file))
    const baseline = first.runs[0]?.document?.result
    if (baseline === undefined) throw new Error('the baseline has no result')
    for (const { document } of [...first.runs, ...second.runs]) {
      if (document === null || document.result === baseline) continue
      for (const { change, verdict, metric } of compare(baseline, document.result)) {
        if (change === undefined || change === 0 || metric.id !== 'runtime') continue
        const sign = change > 0 ? '+' : ''
        expect(text).toContain(`${sign}${formatPercent(change)} ${verdict}`)
      }
    }
    for (const { name } of [first, second]) expect(text).toContain(name)
    expect(text).toMatch(/South 32 channels 64 channels/)
  })

  test('is downloaded for what is selected in the history', async () => {
    const page = await application.open('/history')
    await selectExperiments(page, [first.id, second.id])
    const downloading = page.waitForEvent('download', { timeout: 60_000 })
    await page.getByTestId('export-selected').click()
    const file = pathOf('selected.pdf')
    await (await downloading).saveAs(file)
    expect(oneLine(await pdfPages(file))).toContain('Comparison of 2 experiments')
  })
})

test('nothing in a report is wider than its page, which would shrink it all', async () => {
  const contentWidthMm = 210 - reportMarginsMm.left - reportMarginsMm.right
  const width = Math.floor((contentWidthMm / 25.4) * 96)
  const page = await application.open('/history', { viewport: { width, height: 1000 } })
  await page.emulateMedia({ media: 'print' })
  for (const ids of [[first.id], [first.id, second.id]]) {
    await page.goto(`${application.host.origin}/${reportRoute(ids)}`)
    await page.locator('html[data-report-ready="true"]').waitFor()
    const scrollWidth = () => page.evaluate(() => document.documentElement.scrollWidth)
    expect(await scrollWidth(), `experiments ${ids.join(', ')}`).toBeLessThanOrEqual(width)
  }
})

describe('a report that cannot be made', () => {
  test('of a run that does not exist is refused', async () => {
    const { status, stderr } = await runTessera(dataDirectory, [
      ...['report', '999', '--out', pathOf('none.pdf')],
    ])
    expect(status).toBe(2)
    expect(stderr).toContain('999')
  })

  test('says so on its page', async () => {
    const page = await application.open(`/experiments/${String(first.id)}`)
    await page.goto(`${application.host.origin}/#/report?experiments=999`)
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('999')
  })
})
