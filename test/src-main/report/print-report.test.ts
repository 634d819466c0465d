import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureChromium } from '#main/report/ensure-chromium.ts'
import { printReport } from '#main/report/print-report.ts'
import { reportFileName } from '#main/report/report-layout.ts'
import { startBrowserHost, type BrowserHost } from '#main/server/browser-host.ts'
import { createDownloads } from '#main/server/downloads.ts'
import { tessera } from '#test/support/command-line.ts'

const timeout = 120_000

let chromium: string
let directory: string
let host: BrowserHost

beforeAll(() => {
  chromium = ensureChromium()
}, 300_000)

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tessera-report-'))
  const pageDirectory = join(directory, 'page')
  mkdirSync(pageDirectory)
  writeFileSync(
    join(pageDirectory, 'index.html'),
    '<!doctype html><title>Page</title><h1>Report</h1><script src="report.js"></script>',
  )
  host = await startBrowserHost({
    port: 0,
    pageDirectory,
    downloads: createDownloads(),
    service: {
      dispatch: () => Promise.resolve({ ok: true, value: null }),
      subscribe: () => () => undefined,
    },
  })
})

afterEach(async () => {
  await host.close()
  rmSync(directory, { recursive: true })
})

function writeScript(script: string): void {
  writeFileSync(join(directory, 'page', 'report.js'), script)
}

const print = (experimentIds: readonly number[]) =>
  printReport({ chromium, pageUrl: host.url, experimentIds })

function textOf(pdf: Buffer): string {
  const file = join(directory, 'report.pdf')
  writeFileSync(file, pdf)
  return spawnSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).stdout
}

describe('printReport', { timeout }, () => {
  test('prints the route of the experiments once the page is ready, with page numbers', async () => {
    writeScript(`setTimeout(() => {
      document.querySelector('h1').textContent = location.hash
      document.documentElement.dataset.reportReady = 'true'
    }, 300)`)
    const pdf = await print([3, 7])
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    const text = textOf(pdf)
    expect(text).toContain('#/report?experiments=3,7')
    expect(text).toMatch(/Page 1 of 1/)
  })

  test('passes on what the page says where it failed', async () => {
    writeScript(`document.documentElement.dataset.reportMessage = 'experiment 3 does not exist'
      document.documentElement.dataset.reportReady = 'failed'`)
    await expect(print([3])).rejects.toThrow('experiment 3 does not exist')
  })
})

describe('tessera report', { timeout: 300_000 }, () => {
  test('prints what was run, and leaves nothing but the PDF', async () => {
    const dataDirectory = join(directory, 'data')
    const kernel = ['--chip', 'flat-2026', '--workload', 'mha-prefill-d128-s4096']
    for (const dataflow of ['fa3', 'flat-async']) {
      await tessera(['attention', ...kernel, '--dataflow', dataflow], { dataDirectory })
    }
    const target = join(directory, 'out')
    mkdirSync(target)
    const out = join(target, 'comparison.pdf')
    const { status, stderr } = await tessera(['report', '1', '2', '--out', out], { dataDirectory })
    expect(stderr).toContain(`report of 2 runs written to ${out}\n`)
    expect(status).toBe(0)
    expect(readdirSync(target)).toEqual(['comparison.pdf'])
    const text = textOf(readFileSync(out))
    expect(text).toContain('FlatAsync')
    expect(text).toContain('FlashAttention-3')
    expect(text).toMatch(/Page 1 of \d+/)
  })

  test('names a run that is not there, and writes nothing', async () => {
    const dataDirectory = join(directory, 'data')
    const out = join(directory, 'nothing.pdf')
    const { status, stderr } = await tessera(['report', '5', '--out', out], { dataDirectory })
    expect(stderr).toContain('there is no experiment 5')
    expect(status).toBe(2)
    expect(readdirSync(directory)).not.toContain('nothing.pdf')
  })
})

test('the file name tells the experiments, as long as they are few', () => {
  expect(reportFileName([7])).toBe('tessera-report-7.pdf')
  expect(reportFileName([7, 9])).toBe('tessera-report-7-9.pdf')
  expect(reportFileName([7, 1, 2, 3, 4, 5])).toBe('tessera-report-7-and-5-more.pdf')
})
