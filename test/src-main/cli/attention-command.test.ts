import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import { attentionInputSchema } from '#shared/schema/attention-input.ts'
import { tessera, tesseraHere, type CommandEnd } from '#test/support/command-line.ts'
import { projectRoot } from '#test/support/source-files.ts'

// Some tests start processes, and others may be at work.
const timeout = 60_000

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tessera-cli-'))
})
afterAll(() => {
  rmSync(directory, { recursive: true })
})

const presets = ['--chip', 'flat-2026', '--workload', 'mha-prefill-d128-s4096']
const kernel = ['attention', ...presets, '--dataflow', 'flat-async']

const run = (args: readonly string[]): Promise<CommandEnd> =>
  tesseraHere(args, { dataDirectory: directory })

describe('tessera attention', { timeout }, () => {
  test('--json prints one document with the published fields, and nothing else', async () => {
    const { status, stdout } = await run([...kernel, '--group', '32x32', '--json', '--no-save'])
    expect(status).toBe(0)
    const document = JSON.parse(stdout) as Record<string, unknown>
    expect(Object.keys(document)).toEqual([
      'schemaVersion',
      'modelVersion',
      'input',
      'result',
      'warnings',
      'regime',
    ])
    expect(document.regime).toMatchObject({ kind: 'inside', differences: [] })
    expect(attentionInputSchema.parse(document.input).mapping).toEqual({ groupX: 32, groupY: 32 })
    const result = document.result as { seconds: number; breakdown: { seconds: number }[] }
    const sum = result.breakdown.reduce((total, part) => total + part.seconds, 0)
    expect(sum).toBeCloseTo(result.seconds, 12)
  })

  test('prints a table with units for people', async () => {
    const { status, stdout } = await run([...kernel, '--no-save'])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^FlatAsync on FlatAttention 2026, 2 TB\/s\n/)
    expect(stdout).toMatch(/Runtime +[\d.]+ (ms|µs) +[\d,]+ cycles at 0.965 GHz/)
    expect(stdout).toMatch(/Matrix utilisation +[\d.]+ % +of 1.012 PFLOPS peak/)
    expect(stdout).toMatch(/\nExposed time\n {2}Matrix +[\d.]+ (ms|µs) +[\d.]+ %/)
    expect(stdout).toMatch(/\nMapping\n {2}Group +\d+ x \d+ tiles/)
  })

  test.each([
    [4096, /GH200 +638 TFLOPS +FlashAttention-3, measured; this run has [\d.]+× that throughput/],
    [3072, /GH200 +[\d.]+ TFLOPS +FlashAttention-3, interpolated between S 2,048 and 4,096;/],
    [32_768, /GH200 +n\/a +outside the measured range, S 512 to 16,384/],
  ])('says what is known of a GH200 for length %d', async (length, text) => {
    const lengths = ['queryLength', 'kvLength'].flatMap(field => [
      '--set',
      `workload.${field}=${String(length)}`,
    ])
    const { status, stdout } = await run([...kernel, ...lengths, '--no-save'])
    expect(status).toBe(0)
    expect(stdout).toMatch(text)
  })

  test('simulates decode of MLA, with every dataflow that it has', async () => {
    const latent = ['attention', '--chip', 'flat-2026-fp8', '--workload']
    const preset = [...latent, 'mla-decode-kv4096-sp2', '--no-save', '--dataflow']
    const flat = await run([...preset, 'flat-async'])
    const fair = await run([...preset, 'flash-mla-fair', '--json'])
    expect([flat.status, fair.status]).toEqual([0, 0])
    expect(flat.stdout).toMatch(
      /128 heads \(1 KV\), head dimensions 576 \(scores\) and 512 \(output\)/,
    )
    expect(flat.stdout).toMatch(/Asynchronous +yes, two sequences interleaved/)
    const { warnings } = JSON.parse(fair.stdout) as { warnings: { message: string }[] }
    expect(warnings.map(({ message }) => message).join()).toContain('FlashMLA on all tiles')
  })

  test('--explain adds formula, values and sources, also to the JSON', async () => {
    const text = await run([...kernel, '--no-save', '--explain'])
    const json = await run([...kernel, '--no-save', '--explain', '--json'])
    expect(text.stdout).toMatch(/Useful FLOPs \(usefulFlops\): [\d.]+ GFLOP\n {2}F = 4 · d/)
    expect((JSON.parse(json.stdout) as { explanation: unknown[] }).explanation).not.toEqual([])
  })

  test('--dataflow auto says which one, by how much, and where another would be chosen', async () => {
    const own = { dataDirectory: mkdtempSync(join(directory, 'auto-')) }
    const asked = ['attention', '--chip', 'granularity-8x8', '--workload', 'mha-prefill-d128-s512']
    const auto = await tesseraHere([...asked, '--dataflow', 'auto', '--json'], own)
    expect(auto).toMatchObject({ status: 0, stderr: 'kept as run 1\n' })
    const document = JSON.parse(auto.stdout) as AttentionDocument
    expect(document.selection?.chosen).toBe(document.input.dataflow)
    expect(document.selection?.crossover.length).toBeGreaterThan(512)

    const named = await tesseraHere(
      [...asked, '--dataflow', document.input.dataflow, '--json'],
      own,
    )
    expect(named.stderr).toBe('from the history (run 1); --again runs it anew\n')
    expect(JSON.parse(named.stdout)).not.toHaveProperty('selection')

    const text = await tesseraHere([...asked, '--dataflow', 'auto', '--group', '8x8'], own)
    expect(text.status).toBe(0)
    expect(text.stdout).toMatch(/Dataflow by predicted time\n {2}fa2 .* chosen\n {2}fa3 .*slower\n/)
    expect(text.stdout).toMatch(/Crossover along the sequence length, from 16 to 1,048,576 tokens/)
    expect(text.stdout).toMatch(/at \d+ +fa2 gives way to flat-async +nearest between Flash/)
  })

  test('keeps the result, and finds it the next time', async () => {
    const own = { dataDirectory: mkdtempSync(join(directory, 'history-')) }
    const first = await tessera([...kernel, '--json'], own)
    const second = await tessera([...kernel, '--json'], own)
    expect(first.stderr).toBe('kept as run 1\n')
    expect(second.stderr).toBe('from the history (run 1); --again runs it anew\n')
    expect(second.stdout).toBe(first.stdout)
    const again = await tessera([...kernel, '--again', '--json'], own)
    expect(again.stderr).toBe('kept as run 2\n')
  })

  test('a history that cannot be used is a warning; the result is printed', async () => {
    const dataDirectory = mkdtempSync(join(directory, 'broken-'))
    writeFileSync(join(dataDirectory, 'tessera.db'), 'this is no database')
    const args = [...kernel, '--json']
    const { status, stdout, stderr } = await tesseraHere(args, { dataDirectory })
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toHaveProperty('result.cycles')
    expect(stderr).toContain('warning: the result is not kept: ')
    expect(readFileSync(join(dataDirectory, 'tessera.db'), 'utf8')).toBe('this is no database')
  })

  test('reads a chip from standard input and a workload from a file', async () => {
    const chip = await run(['presets', 'show', 'flat-2025', '--json'])
    const workload = await run(['presets', 'show', 'mha-prefill-d64-s512', '--json'])
    const path = join(directory, 'workload.json')
    writeFileSync(path, `\uFEFF${workload.stdout}`)
    const args = ['--chip', '-', '--workload', path, '--dataflow', 'fa2', '--json', '--no-save']
    const { status, stdout } = await tessera(['attention', ...args], {
      dataDirectory: directory,
      input: chip.stdout,
    })
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      input: { chip: { clockGHz: 1 }, workload: { headDim: 64, kvLength: 512 } },
    })
  })

  test('overrides are applied in order, after the group', async () => {
    const sets = ['chip.hbm.channels.south=64', 'workload.causal=true', 'mapping.groupX=16']
    const args = sets.flatMap(assignment => ['--set', assignment])
    const { stdout } = await run([...kernel, '--group', '8x16', ...args, '--json', '--no-save'])
    expect(JSON.parse(stdout)).toMatchObject({
      input: {
        chip: {
          name: 'FlatAttention 2026, 2 TB/s, edited',
          hbm: { channels: { south: 64 } },
        },
        workload: { name: 'MHA prefill, D 128, S 4096, edited', causal: true },
        mapping: { groupX: 16, groupY: 16 },
      },
    })
  })

  test('stays silent when its reader has had enough', async () => {
    const command = `src-main/cli/tessera.mjs ${kernel.join(' ')} --no-save --explain | head -n 1`
    const shell = spawn('bash', ['-o', 'pipefail', '-c', command], { cwd: projectRoot })
    let stderr = ''
    shell.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const status = await new Promise(resolve => shell.on('close', resolve))
    expect([status, stderr]).toEqual([0, ''])
  })
})
