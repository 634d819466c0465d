import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { processStreams } from '#main/cli/output.ts'
import { createProgram } from '#main/cli/program.ts'
import { clusterPresets } from '#shared/presets/cluster-presets.ts'
import { chipPresets, workloadPresets } from '#shared/presets/presets.ts'
import { modelPresets } from '#shared/presets/model-presets.ts'
import { systemPresets } from '#shared/presets/system-presets.ts'
import { tessera, tesseraHere } from '#test/support/command-line.ts'

const timeout = 60_000
let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tessera-cli-'))
})
afterAll(() => {
  rmSync(directory, { recursive: true })
})

// The same rows are wanted as JSON and as text.
vi.mock(import('#shared/validation/validate.ts'), async importOriginal => {
  const original = await importOriginal()
  let result: ReturnType<typeof original.validate> | undefined
  return {
    ...original,
    runValidation: function* (...args) {
      result ??= yield* original.runValidation(...args)
      return result
    },
  }
})

const run = (...args: string[]) => tesseraHere(args, { dataDirectory: directory })
const kernel = (dataflow: string) => [
  'attention',
  ...['--chip', 'flat-2026', '--workload', 'mha-prefill-d64-s512', '--dataflow', dataflow],
]

describe('help', () => {
  const commands = [createProgram(processStreams)].flatMap(
    function withChildren(command): (typeof command)[] {
      return [command, ...command.commands.flatMap(withChildren)]
    },
  )

  test.each(commands.map(command => [command.name(), command] as const))(
    'of %s has an example',
    (_, command) => {
      let text = ''
      command.configureOutput({ writeOut: part => (text += part) })
      command.outputHelp()
      expect(text).toMatch(/Examples?:\n +\$ tessera /)
    },
  )

  test('is printed on standard output with status 0', { timeout }, async () => {
    const options = { dataDirectory: directory }
    const { status, stdout, stderr } = await tessera(['attention', '--help'], options)
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain('Exit status: 0 done; 1 the work failed; 2 an argument')
  })
})

describe('tessera presets', { timeout }, () => {
  test('lists every preset as one document', async () => {
    const { stdout } = await run('presets', 'list', '--json')
    const ids = (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id)
    expect(ids).toEqual(
      [chipPresets, workloadPresets, systemPresets, clusterPresets, modelPresets]
        .flatMap((presets): readonly { readonly id: string }[] => presets)
        .map(({ id }) => id),
    )
  })

  test('shows one with its source', async () => {
    const { stdout } = await run('presets', 'show', 'flat-2026')
    expect(stdout).toContain('Source: arXiv 2604.02110, Table I')
    expect(stdout).toMatch(/hbm\.channels\.south +32/)
  })
})

describe('tessera schema', { timeout }, () => {
  test.each([
    'chip',
    'workload',
    'mapping',
    'attention',
    'tune',
    'gemm',
    'gemm-mapping',
    'vector',
    'system',
    'dispatch',
    'model',
    'deployment',
    'decode',
    'plan',
  ])('%s is a JSON Schema', async kind => {
    const { status, stdout } = await run('schema', kind)
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
    })
  })
})

describe('tessera validate', { timeout }, () => {
  test('compares with every published set, and meets the targets', async () => {
    const { status, stdout } = await run('validate', '--json', '--engine', 'phase')
    const { sets } = JSON.parse(stdout) as { sets: { id: string; rows: unknown[] }[] }
    expect(status).toBe(0)
    expect(sets.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['fig8-dataflows-2025', 'fig11-l1-occupancy']),
    )
  })

  test('prints predicted, published and error of each row, and a line for each set', async () => {
    const { stdout } = await run('validate', '--engine', 'phase')
    expect(stdout).toMatch(/PREDICTED +PUBLISHED +UNIT +ERROR\n/)
    expect(stdout).toMatch(/\nSET +ROWS +MEAN ERROR +AT MOST +LARGEST +AT MOST +TARGET\n/)
    expect(stdout).toMatch(/\nfig11-l1-occupancy +16 +0\.0 % +0\.0 % +0\.0 % +0\.0 % +met\n/)
  })
})

describe('tessera runs', { timeout }, () => {
  test('an empty history is an empty list', async () => {
    const dataDirectory = mkdtempSync(join(directory, 'empty-'))
    const { status, stdout } = await tesseraHere(['runs', 'list', '--json'], { dataDirectory })
    expect([status, stdout]).toEqual([0, '[]\n'])
  })

  test('what was run is listed, shown, deleted and restored', async () => {
    await run(...kernel('fa2'))
    await run(...kernel('fa3'))
    const list = await run('runs', 'list')
    expect(list.stdout).toMatch(
      /^RUN +MADE +DATAFLOW +RUNTIME +MATRIX +NAME\n +2 .* fa3 .*\n +1 .* fa2 /,
    )
    const shown = await run('runs', 'show', '1', '--json')
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: 1, runs: [{ status: 'done' }] })
    expect((await run('runs', 'show', '1')).stdout).toContain('FlashAttention-2 on FlatAttention')

    expect((await run('runs', 'delete', '1')).stderr).toContain('"tessera runs restore 1"')
    const ids = async (...args: string[]) => {
      const { stdout } = await run('runs', 'list', '--json', ...args)
      return (JSON.parse(stdout) as { id: number }[]).map(({ id }) => id)
    }
    expect([await ids(), await ids('--trashed')]).toEqual([[2], [1]])
    await run('runs', 'restore', '1')
    expect(await ids()).toEqual([2, 1])
    await run('runs', 'delete', '1', '--permanently')
    expect([await ids(), await ids('--trashed')]).toEqual([[2], []])
  })

  test('an exported file is imported once into another history', async () => {
    const source = { dataDirectory: mkdtempSync(join(directory, 'source-')) }
    const target = { dataDirectory: mkdtempSync(join(directory, 'target-')) }
    await tesseraHere(kernel('flat-hc'), source)
    const file = join(directory, 'runs.json')
    const exported = await tesseraHere(['runs', 'export', '--out', file], source)
    expect(exported.stderr).toBe(`1 run written to ${file}\n`)
    expect((await tesseraHere(['runs', 'export', '1'], source)).stdout).toContain(
      '"tessera-history"',
    )
    const first = await tesseraHere(['runs', 'import', file], target)
    expect(first.stdout).toBe('1 run imported, 0 were there already\n')
    const second = await tessera(['runs', 'import', '-'], {
      ...target,
      input: readFileSync(file, 'utf8'),
    })
    expect(second.stdout).toBe('0 runs imported, 1 was there already\n')
  })

  test('a truncated file is refused, and nothing is imported', async () => {
    const file = join(directory, 'truncated.json')
    writeFileSync(file, '{"format": "tessera-history", "experiments": [')
    const { status, stderr } = await run('runs', 'import', file)
    expect(status).toBe(2)
    expect(stderr).toMatch(/truncated\.json: line 1, column 47: the JSON text ends too early/)
  })

  test('a history that cannot be used fails with status 1', async () => {
    const dataDirectory = mkdtempSync(join(directory, 'broken-'))
    writeFileSync(join(dataDirectory, 'tessera.db'), 'this is no database')
    const { status, stdout, stderr } = await tesseraHere(['runs', 'list', '--json'], {
      dataDirectory,
    })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain('is not a SQLite database')
    expect(readdirSync(dataDirectory)).toEqual(['tessera.db'])
  })
})
