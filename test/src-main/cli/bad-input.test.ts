import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommandLine } from '#main/cli/run-command-line.ts'
import { tessera } from '#test/support/command-line.ts'

const presets = ['--chip', 'flat-2026', '--workload', 'mha-prefill-d128-s4096']
const kernel = ['attention', ...presets, '--dataflow', 'flat-async']

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tessera-cli-'))
  process.env.TESSERA_DATA_DIR = directory
})
afterAll(() => {
  delete process.env.TESSERA_DATA_DIR
  rmSync(directory, { recursive: true })
})

/** In this process: starting one for each case would take minutes. */
async function run(args: readonly string[]) {
  let stdout = ''
  let stderr = ''
  const status = await runCommandLine(args, {
    writeOut: text => (stdout += text),
    writeErr: text => (stderr += text),
  })
  return { status, stdout, stderr }
}

describe('bad input ends with status 2 and names field, value and what is allowed', () => {
  const attention = (...more: string[]) => [...kernel, '--no-save', ...more]
  const cases: readonly (readonly [string, readonly string[], RegExp])[] = [
    [
      'unknown preset',
      attention('--chip', 'flat2026'),
      /flat2026: unknown chip preset; known are flat-2025, flat-2026,/,
    ],
    [
      'missing file',
      attention('--workload', './gone.json'),
      /--workload \.\/gone\.json: no such file/,
    ],
    [
      'a file without an end',
      attention('--chip', '/dev/zero'),
      /--chip \/dev\/zero: cannot be read: at most 16777216 characters are read/,
    ],
    ['a directory', attention('--chip', '/tmp'), /--chip \/tmp: cannot be read: EISDIR/],
    [
      'both from standard input',
      attention('--chip', '-', '--workload', '-'),
      /only one of them can be standard input/,
    ],
    [
      'unknown dataflow',
      attention('--dataflow', 'flat'),
      /'flat' is invalid. Allowed choices are fa2, fa3, flat-sc,/,
    ],
    ['malformed group', attention('--group', '32'), /--group 32: must be auto or columns x rows/],
    ['group of zero', attention('--group', '0x4'), /mapping\.groupX: must be at least 1, got 0/],
    [
      'unknown path',
      attention('--set', 'chip.hbm.chanels.south=1'),
      /unknown field "chanels"; chip\.hbm has channels, channelGBps/,
    ],
    ['inherited name', attention('--set', 'chip.constructor=1'), /unknown field "constructor"/],
    [
      'unknown root',
      attention('--set', 'dataflow=fa2'),
      /unknown field "dataflow"; a path starts with one of chip, workload, mapping/,
    ],
    [
      'a group of fields',
      attention('--set', 'chip.tiles=4'),
      /chip\.tiles: is a group of fields; set one of them: chip\.tiles\.x, chip\.tiles\.y/,
    ],
    [
      'below a value',
      attention('--set', 'chip.clockGHz.x=4'),
      /chip\.clockGHz is a single value, it has no x/,
    ],
    ['no assignment', attention('--set', 'chip.tiles.x'), /must be path=value/],
    [
      'infinity',
      attention('--set', 'chip.tiles.x=1e999'),
      /chip\.tiles\.x: must be a finite number, got "1e999"/,
    ],
    [
      'not a number',
      attention('--set', 'chip.tiles.x=NaN'),
      /chip\.tiles\.x: must be a finite number, got "NaN"/,
    ],
    [
      'empty',
      attention('--set', 'chip.tiles.x='),
      /chip\.tiles\.x: must be a finite number, got ""/,
    ],
    ['hexadecimal', attention('--set', 'chip.tiles.x=0x20'), /must be a finite number, got "0x20"/],
    [
      '1e308',
      attention('--set', 'workload.kvLength=1e308'),
      /workload\.kvLength: must be .* 1e\+308/,
    ],
    [
      'a huge mesh',
      attention('--set', 'chip.tiles.x=65536', '--set', 'chip.tiles.y=65536'),
      /chip\.tiles\.x: must be at most 256, got 65536\nchip\.tiles\.y: must be at most 256, got 65536/,
    ],
    [
      'negative',
      attention('--set', 'workload.batch=-1'),
      /workload\.batch: must be at least 1, got -1/,
    ],
    [
      'a fraction of a tile',
      attention('--set', 'chip.tiles.x=1.5'),
      /chip\.tiles\.x: must be a whole number, got 1\.5/,
    ],
    [
      'not yes or no',
      attention('--set', 'workload.causal=maybe'),
      /workload\.causal: must be true or false, got "maybe"/,
    ],
    [
      'heads that cannot be shared',
      attention('--set', 'workload.variant=gqa', '--set', 'workload.kvHeads=5'),
      /32 heads cannot be shared out over 5 KV heads; allowed are 1, 2, 4, 8, 16, 32/,
    ],
    [
      'no heads',
      attention('--set', 'workload.heads=0'),
      /workload\.heads: must be at least 1, got 0/,
    ],
    [
      'no speculated token, not even the first',
      attention('--set', 'workload.speculativeLength=0'),
      /workload\.speculativeLength: must be at least 1, got 0/,
    ],
    [
      'less than no keys',
      attention('--set', 'workload.kvLength=-1'),
      /workload\.kvLength: must be at least 0, got -1/,
    ],
    [
      'a group wider than the mesh',
      attention('--group', '64x1'),
      /mapping\.groupX: must be at most 32 \(chip\.tiles\.x\), got 64/,
    ],
    [
      'a dimension of MLA for MHA',
      attention('--set', 'workload.latentDim=512'),
      /workload\.latentDim: is for variant mla only, got 512 for variant mha/,
    ],
    [
      'FlashMLA for MHA',
      attention('--dataflow', 'flash-mla'),
      /dataflow: flash-mla is for decode of variant mla only, got prefill of variant mha/,
    ],
    [
      'FlashAttention for decode of MLA',
      attention('--workload', 'mla-decode-kv4096-sp2', '--dataflow', 'fa3'),
      /dataflow: \S+ has no kernel for decode of variant mla.*use flash-mla/,
    ],
    [
      'a slice beyond L1',
      attention('--set', 'mapping.sliceRows=4096', '--set', 'mapping.sliceCols=4096'),
      /L1/,
    ],
    ['unknown option', attention('--dataflows', 'fa2'), /unknown option '--dataflows'/],
    ['excess argument', attention('more'), /too many arguments/],
    ['unknown command', ['atention'], /unknown command 'atention'/],
    [
      'unknown schema',
      ['schema', 'wafer'],
      /Allowed choices are chip, workload, mapping, attention/,
    ],
    [
      'unknown preset to show',
      ['presets', 'show', 'h100'],
      /unknown preset "h100"; known are flat-2025/,
    ],
    ['a run that is no number', ['runs', 'show', 'one'], /A run is a whole number from 1/],
    ['a run that is not there', ['runs', 'show', '4711'], /there is no experiment 4711/],
    [
      'a report of a run that is not there',
      ['report', '4711', '--out', '/tmp/nowhere/x.pdf'],
      /directory \/tmp\/nowhere does not exist/,
    ],
    ['a report in the place of a directory', ['report', '1', '--out', '/tmp'], /is a directory/],
    [
      'an export in the place of a directory',
      ['runs', 'export', '--out', '/tmp'],
      /is a directory/,
    ],
    [
      'an export to a missing directory',
      ['runs', 'export', '--out', '/tmp/nowhere/runs.json'],
      /--out \/tmp\/nowhere\/runs\.json: the directory \/tmp\/nowhere does not exist/,
    ],
    [
      'port out of range',
      ['serve', '--port', '65536'],
      /must be a whole number from 0 \(any free one\) to 65535/,
    ],
  ]

  test.each(cases)('%s', async (_, args, message) => {
    const { status, stdout, stderr } = await run([...args])
    expect(stderr).toMatch(message)
    expect([status, stdout]).toEqual([2, ''])
  })

  test.each([
    [
      'truncated',
      '{\n  "schemaVersion": 1,\n  "name": "x',
      /chip\.json: line 3, column 13: the JSON text ends too early/,
    ],
    ['empty', '', /line 1, column 1: the JSON text ends too early/],
    ['wrong', '{\n  "tiles": oops\n}', /line 2, column 12: Unexpected token 'o'/],
    ['not an object', '[]', /chip: must be an object, got an empty list/],
    [
      'with an unknown key',
      '{"tile": 4}',
      /chip: unknown key "tile"; known are schemaVersion, name, tiles/,
    ],
  ])('a chip file that is %s', async (_, text, message) => {
    const path = join(directory, 'chip.json')
    writeFileSync(path, text)
    const { status, stdout, stderr } = await run(attention('--chip', path))
    expect(stderr).toMatch(message)
    expect([status, stdout]).toEqual([2, ''])
  })

  test('so does the process', { timeout: 60_000 }, async () => {
    const end = await tessera(attention('--chip', 'flat2026'), { dataDirectory: directory })
    expect(end).toMatchObject({ status: 2, stdout: '' })
    expect(end.stderr).toMatch(/^tessera: --chip flat2026: unknown chip preset/)
  })
})
