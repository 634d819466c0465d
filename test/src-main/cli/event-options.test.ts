import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommandLine } from '#main/cli/run-command-line.ts'
import type { EventReport } from '#shared/results/event-report.ts'
import {
  countersOf,
  operationsOf,
  traceProblems,
  traceSchema,
} from '#test/support/trace-event-schema.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tessera-event-options-'))
  process.env.TESSERA_DATA_DIR = directory
})
afterAll(() => {
  delete process.env.TESSERA_DATA_DIR
  rmSync(directory, { recursive: true })
})

async function run(args: readonly string[]) {
  let stdout = ''
  let stderr = ''
  const status = await runCommandLine(args, {
    writeOut: text => (stdout += text),
    writeErr: text => (stderr += text),
  })
  return { status, stdout, stderr }
}

const small = ['chip.tiles.x=4', 'chip.tiles.y=4', 'chip.hbm.channels.south=4'].flatMap(one => [
  '--set',
  one,
])
const chip = ['--chip', 'flat-2026', ...small]

const attention = [
  ...['attention', ...chip, '--workload', 'mha-prefill-d128-s512', '--dataflow', 'flat-async'],
  ...['--group', '4x4', '--set', 'workload.batch=1', '--no-save'],
]
const absorbed = [
  ...['attention', ...chip, '--workload', 'mla-decode-kv4096-sp2', '--dataflow', 'flat-async'],
  ...['--group', '4x4', '--set', 'workload.batch=1', '--set', 'workload.kvLength=512', '--no-save'],
]
const gemm = ['gemm', ...chip, '--m', '512', '--n', '512', '--k', '512']
const collective = [
  ...['collective', ...chip, '--op', 'sum', '--bytes', '32768'],
  ...['--participants', '4x4', '--axis', 'group', '--impl', 'hw'],
]
const vector = [...['vector', ...chip, '--kernel', 'rms-norm', '--tokens', '64', '--width', '1024']]
const commands = [
  { title: 'attention', args: attention, engines: ['dma', 'matrix', 'vector'] },
  { title: 'attention of MLA', args: absorbed, engines: ['dma', 'matrix', 'vector'] },
  { title: 'gemm', args: gemm, engines: ['dma', 'matrix'] },
  { title: 'collective', args: collective, engines: ['dma'] },
  { title: 'vector', args: vector, engines: ['dma', 'vector'] },
]
const event = ['--engine', 'event']

describe.each(commands)('tessera $title', ({ title, args, engines }) => {
  test('--trace writes a track for each engine, and counters for HBM and the links', async () => {
    const path = join(directory, `${title}.json`)
    const tiles = ['--trace', path, '--trace-tiles', '0,0 1,1']
    const { status, stderr } = await run([...args, ...event, ...tiles])
    expect([status, stderr]).toEqual([0, ''])
    const trace = traceSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
    expect(traceProblems(trace)).toEqual([])
    const names = trace.traceEvents.flatMap(one =>
      one.ph === 'M' && one.name === 'thread_name' ? [one.args.name.replace(/ \d+$/, '')] : [],
    )
    expect([...new Set(names)].filter(one => one !== 'sync').toSorted()).toEqual(engines)
    expect(operationsOf(trace).length).toBeGreaterThan(0)
    const counters = countersOf(trace)
    expect(new Set(counters.map(({ name }) => name))).toEqual(
      new Set(['HBM bandwidth, GB/s', 'NoC links together, GB/s']),
    )
    expect(counters.some(({ args: { all = 0 } }) => all > 0)).toBe(true)
    expect(trace.otherData.title).toContain('FlatAttention 2026')
  })

  test('--activity adds values over time to the JSON document, which else has none', async () => {
    const reports = [
      await run([...args, ...event, '--json']),
      await run([...args, ...event, '--json', '--activity']),
    ].map(({ stdout }) => (JSON.parse(stdout) as { event: EventReport }).event)
    const [without, report] = reports
    expect(without).not.toHaveProperty('activity')
    expect(report?.activity?.links.bytes).toHaveLength(16 * 5)
    expect(report?.activity?.channels.read).toHaveLength(4)
    expect(report?.activity?.tiles.matrix).toHaveLength(16)
    expect({ ...without, activity: report?.activity }).toEqual(report)
  })

  const path = () => join(directory, 'never.json')
  const faults: readonly (readonly [string, () => string[], RegExp])[] = [
    [
      'a trace in a folder that is not there',
      () => [...event, '--trace', join(directory, 'gone', 'trace.json')],
      /--trace: cannot write .*gone.trace\.json: ENOENT/,
    ],
    ['a trace of the phase engine', () => ['--trace', path()], /--trace: needs --engine event/],
    [
      'a tile outside the chip',
      () => [...event, '--trace', path(), '--trace-tiles', '4,0'],
      /--trace-tiles: must be x,y with x from 0 to 3 and y from 0 to 3, .*; got '4,0'/,
    ],
    [
      'tiles without a trace',
      () => [...event, '--trace-tiles', '0,0'],
      /--trace-tiles: needs --trace, the file to write/,
    ],
    [
      'activity of the phase engine',
      () => ['--activity', '--json'],
      /--activity: needs --engine event/,
    ],
    ['activity as text', () => [...event, '--activity'], /--activity: needs --json/],
  ]
  test.each(faults)('refuses %s', async (_, options, message) => {
    const { status, stdout, stderr } = await run([...args, ...options()])
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
    expect(existsSync(path())).toBe(false)
  })
})

describe('tessera attention --activity', () => {
  const kept = attention.filter(one => one !== '--no-save')

  test('is simulated anew, and the history keeps the run without it', async () => {
    const asked = await run([...kept, ...event, '--json', '--activity'])
    const again = await run([...kept, ...event, '--json'])
    expect(again.stderr).toMatch(/^from the history/)
    const { event: stored } = JSON.parse(again.stdout) as { event: EventReport }
    const { event: seen } = JSON.parse(asked.stdout) as { event: EventReport }
    expect(stored).not.toHaveProperty('activity')
    expect(stored.links).toEqual(seen.links)
    const anew = await run([...kept, ...event, '--json', '--activity'])
    expect(anew.stdout).toBe(asked.stdout)
  })

  test.each(['--activity', '--trace-tiles=0,0', '--trace=never.json'])(
    '%s is refused beside --check',
    async option => {
      const { status, stderr } = await run([...attention, ...event, '--check', option])
      expect(status).toBe(2)
      expect(stderr).toMatch(/not with --check, which keeps (no|nothing)/)
    },
  )
})
