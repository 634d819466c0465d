import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommandLine } from '#main/cli/run-command-line.ts'
import type { TuneDocument } from '#shared/schema/tune-document.ts'
import { tuneInputSchema } from '#shared/schema/tune-input.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tessera-cli-'))
  process.env.TESSERA_DATA_DIR = directory
})
afterAll(() => {
  delete process.env.TESSERA_DATA_DIR
  rmSync(directory, { recursive: true })
})

const kernel = ['--chip', 'flat-2026', '--workload', 'mha-prefill-d128-s1024']

async function run(...args: string[]) {
  let stdout = ''
  let stderr = ''
  const status = await runCommandLine(args, {
    writeOut: text => (stdout += text),
    writeErr: text => (stderr += text),
  })
  return { status, stdout, stderr }
}

describe('tessera tune', () => {
  test('--json prints one document with the published fields', async () => {
    const { status, stdout, stderr } = await run('tune', ...kernel, '--top', '2', '--json')
    expect([status, stderr]).toEqual([0, ''])
    const document = JSON.parse(stdout) as TuneDocument
    expect(Object.keys(document)).toEqual([
      'schemaVersion',
      'modelVersion',
      'input',
      'result',
      'warnings',
    ])
    expect(tuneInputSchema.parse(document.input)).toEqual(document.input)
    expect(document.result).toMatchObject({
      best: { dataflow: 'flat-async', mapping: { groupX: 8, groupY: 8 } },
      ranked: [{ rank: 2 }, { rank: 3 }],
    })
  })

  test('prints the best, the rule beside it, and why the next were rejected', async () => {
    const { status, stdout } = await run('tune', ...kernel, '--explain')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Search for the fastest mapping on FlatAttention 2026, 2 TB\/s\nmha /)
    expect(stdout).toMatch(/Best dataflow +flat-async\nGroup +8 x 8 tiles/)
    expect(stdout).toContain('--dataflow flat-async --group 8x8 --set mapping.sliceRows=128')
    expect(stdout).toMatch(/\n {2}flat-sc .* rule [\d.]+ % slower\n/)
    expect(stdout).toMatch(/\n +4,086 {2}mappings in all\n/)
    expect(stdout).toMatch(/\n {3}2 {2}flat-async .* % slower: HBM \+/)
    expect(stdout).toMatch(/slice \d+ x \d+ +fa3, flat-async +needs .* a tile has 384 KiB/)
    expect(stdout).toContain('\nExplanation\n')
  })

  test('what it finds runs with the options that it prints', async () => {
    const { stdout } = await run('tune', ...kernel, '--json', '--top', '1')
    const text = (await run('tune', ...kernel, '--top', '1')).stdout
    const options = /To run it\n +(.*)/.exec(text)?.[1]?.split(' ') ?? []
    const attention = await run('attention', ...kernel, ...options, '--json', '--no-save')
    const found = (JSON.parse(stdout) as TuneDocument).result.best
    expect(JSON.parse(attention.stdout)).toMatchObject({ result: { cycles: found.cycles } })
  })

  test('searches one dataflow, with what is fixed left alone', async () => {
    const more = ['--dataflow', 'flat-hc', '--group', '4x8', '--set', 'mapping.sliceCols=64']
    const { stdout } = await run('tune', ...kernel, ...more, '--top', 'all', '--json')
    const { input, result } = JSON.parse(stdout) as TuneDocument
    expect(input.dataflows).toEqual(['flat-hc'])
    expect(input).not.toHaveProperty('top')
    expect(1 + result.ranked.length + result.unfit.length).toBe(result.searched)
    expect(result.best.mapping).toMatchObject({ groupX: 4, groupY: 8, sliceCols: 64 })
  })

  test.each<[string, string[], RegExp]>([
    ['--top', ['--top', 'few'], /--top: must be a whole number or all, got "few"/],
    ['--top below 1', ['--top', '0'], /top: must be at least 1, got 0/],
    ['an unknown dataflow', ['--dataflow', 'auto'], /'auto' is invalid. Allowed choices are fa2,/],
    [
      'a group beyond the mesh',
      ['--group', '64x1'],
      /mapping.groupX: must be at most 32 .* got 64/,
    ],
    ['both from standard input', ['--chip', '-', '--workload', '-'], /only one of them/],
    [
      'a field that is out of range',
      ['--set', 'chip.clockGHz=20'],
      /chip.clockGHz: must be at most 10/,
    ],
  ])('%s is refused with status 2', async (_, more, message) => {
    const { status, stdout, stderr } = await run('tune', ...kernel, ...more)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })
})
