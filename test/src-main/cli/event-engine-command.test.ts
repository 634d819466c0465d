import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommandLine } from '#main/cli/run-command-line.ts'
import type { EventReport } from '#shared/results/event-report.ts'
import { operationsOf, traceProblems, traceSchema } from '#test/support/trace-event-schema.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tessera-event-'))
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

const sets = ['chip.tiles.x=4', 'chip.tiles.y=4', 'chip.hbm.channels.south=4', 'workload.batch=1']
const kernel = [
  ...['attention', '--chip', 'flat-2026', '--workload', 'mha-prefill-d128-s512'],
  ...['--dataflow', 'flat-async', '--group', '4x4'],
  ...sets.flatMap(assignment => ['--set', assignment]),
]
/** A kernel that would take minutes: a test that ends at once has not simulated it. */
const huge = [
  ...['attention', '--chip', 'flat-2026', '--workload', 'mha-prefill-d128-s4096'],
  ...['--dataflow', 'fa3', '--set', 'workload.batch=1000', '--no-save'],
]
const event = ['--engine', 'event']

describe('tessera attention --engine event', () => {
  test('--json adds what was seen of tiles, links and channels', async () => {
    const { status, stdout } = await run([...kernel, ...event, '--json', '--no-save'])
    expect(status).toBe(0)
    const document = JSON.parse(stdout) as {
      input: { engine: string }
      result: { cycles: number; hbmReadBytes: number; hbmWriteBytes: number }
      event: EventReport
    }
    expect(document.input.engine).toBe('event')
    const report = document.event
    expect(Object.keys(report).toSorted()).toEqual(
      [
        ...['channels', 'events', 'iterations', 'links'],
        ...['simulatedCycles', 'simulatedIterations', 'tiles'],
      ].toSorted(),
    )
    expect(report.simulatedIterations).toBe(report.iterations)
    expect(report.simulatedCycles).toBeCloseTo(document.result.cycles, 6)
    expect(report.tiles).toMatchObject({ columns: 4, rows: 4 })
    expect(report.tiles.matrix).toHaveLength(16)
    expect(report.links.bytes).toHaveLength(16 * report.links.directions.length)
    expect(report.channels.readBytes).toHaveLength(4)
    const read = report.channels.readBytes.reduce((sum, bytes) => sum + bytes, 0)
    expect(read).toBe(document.result.hbmReadBytes)
  })

  test('explains the runtime and says what the phase engine makes of it', async () => {
    const { stdout } = await run([...kernel, ...event, '--explain', '--no-save'])
    expect(stdout).toMatch(/T = max\(T_sim \+ T_rest, T_min\)/)
    expect(stdout).toMatch(/the phase engine says, for comparison/)
  })

  test('is another run in the history than one of the phase engine', async () => {
    const [phase, simulated, again] = [
      await run([...kernel, '--json']),
      await run([...kernel, ...event, '--json']),
      await run([...kernel, ...event, '--json']),
    ]
    expect(phase.stderr).toMatch(/^kept as run \d+\n$/)
    expect(simulated.stderr).toMatch(/^kept as run \d+\n$/)
    expect(again.stderr).toMatch(/^from the history/)
    expect(again.stdout).toBe(simulated.stdout)
    expect(phase.stdout).not.toContain('simulatedCycles')
  })

  test('--loaders edge is simulated too', async () => {
    const { status, stdout } = await run([
      ...[...kernel, ...event, '--loaders', 'edge', '--json', '--no-save'],
    ])
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ input: { loaders: 'edge' } })
  })
})

describe('tessera attention --trace', () => {
  test('writes a trace of the first two tiles', async () => {
    const path = join(directory, 'first.json')
    const { status } = await run([...kernel, ...event, '--trace', path, '--no-save'])
    expect(status).toBe(0)
    const trace = traceSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
    expect(traceProblems(trace)).toEqual([])
    expect(processNames(trace)).toEqual(['Tile 0, 0', 'Tile 1, 0'])
    expect(operationsOf(trace).length).toBeGreaterThan(100)
  })

  test('writes a trace of the tiles that are asked for, over an older one', async () => {
    const path = join(directory, 'chosen.json')
    writeFileSync(path, 'an older trace')
    const { status } = await run([
      ...[...kernel, ...event, '--trace', path, '--trace-tiles', '3,1 0,2', '--no-save'],
    ])
    expect(status).toBe(0)
    const trace = traceSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
    expect(processNames(trace)).toEqual(['Tile 3, 1', 'Tile 0, 2'])
  })

  test('is written also where the history has the run already', async () => {
    const path = join(directory, 'known.json')
    await run([...kernel, ...event])
    const { status } = await run([...kernel, ...event, '--trace', path])
    expect([status, existsSync(path)]).toEqual([0, true])
  })
})

function processNames(trace: ReturnType<typeof traceSchema.parse>): string[] {
  return trace.traceEvents.flatMap(one =>
    one.ph === 'M' && one.name === 'process_name' && one.args.name.startsWith('Tile')
      ? [one.args.name]
      : [],
  )
}

describe('before anything is simulated, status 2 for', () => {
  const path = () => join(directory, 'never.json')
  const cases: readonly (readonly [string, () => string[], RegExp])[] = [
    [
      'a trace in a folder that is not there',
      () => [...event, '--trace', join(directory, 'gone', 'trace.json')],
      /--trace: cannot write .*gone.trace\.json: ENOENT/,
    ],
    [
      'a trace in place of a folder',
      () => {
        mkdirSync(join(directory, 'folder'), { recursive: true })
        return [...event, '--trace', join(directory, 'folder')]
      },
      /--trace: cannot write .*folder: is a directory/,
    ],
    [
      'a trace of a tile outside the chip',
      () => [...event, '--trace', path(), '--trace-tiles', '0,0 32,0'],
      /--trace-tiles: must be x,y with x from 0 to 31 and y from 0 to 31, .*; got '32,0'/,
    ],
    [
      'a trace of something that is no tile',
      () => [...event, '--trace', path(), '--trace-tiles', 'all'],
      /--trace-tiles: must be x,y .*; got 'all'/,
    ],
    [
      'a trace of no tile',
      () => [...event, '--trace', path(), '--trace-tiles', ''],
      /--trace-tiles: must be x,y .*; got ''/,
    ],
    [
      'a trace from the phase engine',
      () => ['--trace', path()],
      /--trace: needs --engine event; the phase engine has no timeline of tiles/,
    ],
    [
      'tiles of a trace without a trace',
      () => [...event, '--trace-tiles', '0,0'],
      /--trace-tiles: needs --trace/,
    ],
    [
      'loaders at the edge in the phase engine',
      () => ['--loaders', 'edge'],
      /loaders: 'edge' needs engine 'event'; the phase engine knows loaders on the diagonal only/,
    ],
    [
      'loaders elsewhere',
      () => [...event, '--loaders', 'middle'],
      /'middle' is invalid\. Allowed choices are diagonal, edge/,
    ],
    [
      'another engine',
      () => ['--engine', 'steam'],
      /'steam' is invalid\. Allowed choices are phase, event/,
    ],
  ]

  test.each(cases)('%s', async (_, args, message) => {
    const { status, stdout, stderr } = await run([...huge, ...args()])
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
    expect(existsSync(path())).toBe(false)
  })
})
