import { afterEach, describe, expect, test, vi } from 'vitest'
import { runCommandLine } from '#main/cli/run-command-line.ts'
import { CheckedAttention } from '#shared/models/event/check/checked-attention.ts'
import { checkInputSchema } from '#shared/schema/check-input.ts'

// Machines that build and test at the same time are slow.
vi.setConfig({ testTimeout: 60_000 })

const small = {
  'chip.tiles.x': 4,
  'chip.tiles.y': 4,
  'workload.batch': 1,
  'workload.heads': 2,
  'workload.kvHeads': 2,
  'workload.headDim': 16,
  'workload.queryLength': 50,
  'workload.kvLength': 70,
  'mapping.sliceRows': 16,
  'mapping.sliceCols': 16,
}

const kernel = ['attention', '--chip', 'new-design', '--workload', 'mha-prefill-d64-s512']
const sets = Object.entries(small).flatMap(([path, value]) => ['--set', `${path}=${String(value)}`])

async function run(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  let out = ''
  let err = ''
  const streams = {
    writeOut: (text: string) => (out += text),
    writeErr: (text: string) => (err += text),
  }
  const status = await runCommandLine([...kernel, '--dataflow', 'flat-async', ...args], streams)
  return { status, out, err }
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('tessera attention --check', () => {
  test('prints that the kernel has passed, and by how much', async () => {
    const { status, out, err } = await run(...sets, '--group', '2x2', '--check')
    expect([status, err]).toEqual([0, ''])
    expect(out).toMatch(/^FlatAsync on New design, edited\n/)
    expect(out).toMatch(/\nCheck +passed +double precision\n/)
    expect(out).toMatch(/\n {2}of its row of O +\d\.\d\de-1\d +at most 1\.00e-9 is allowed\n/)
    expect(out).toMatch(/\nRows of O +100 +all of them compared\n/)
  })

  test('--json prints one document, with --explain also the bound', async () => {
    const args = [...sets, '--check', '--precision', 'fp8', '--json']
    const [plain, explained] = await Promise.all([run(...args), run(...args, '--explain')])
    const document = JSON.parse(plain.out) as Record<string, unknown>
    expect(Object.keys(document)).toEqual([
      'kind',
      'schemaVersion',
      'modelVersion',
      'input',
      'result',
      'warnings',
    ])
    expect(document).toMatchObject({
      kind: 'check',
      result: { passed: true, precision: 'fp8', boundOn: 'largestAbsolute' },
    })
    expect(checkInputSchema.parse(document.input)).toMatchObject({ precision: 'fp8', seed: 1 })
    expect(JSON.parse(explained.out)).toHaveProperty('explanation.0.field', 'bound')
  })

  test('ends with status 1 and says what is wrong where the kernel is wrong', async () => {
    vi.spyOn(CheckedAttention.prototype, 'divide').mockImplementation(() => () => undefined)
    const { status, out, err } = await run(...sets, '--check')
    expect(status).toBe(1)
    expect(out).toMatch(/\nCheck +NOT PASSED/)
    expect(err).toBe('tessera: the kernel does not compute attention within the bound\n')
  })

  test('tells operations that did not find their data', async () => {
    vi.spyOn(CheckedAttention.prototype, 'clearOutput').mockImplementation(() => () => undefined)
    const { status, out } = await run(...sets, '--check')
    expect(status).toBe(1)
    expect(out).toMatch(/\nFaults\n {2}100 rows of O were never stored|rows of O hold something/)
    expect(out).toMatch(/\n {2}tile \d+: P · V began before O was there/)
  })

  test('refuses a kernel that is too large, with the limit and what is allowed', async () => {
    const { status, out, err } = await run('--set', 'workload.batch=64', '--check')
    expect([status, out]).toEqual([2, ''])
    expect(err).toMatch(/^tessera: workload: a check executes at most .* allowed/)
  })

  test('refuses a trace, which a check does not keep', async () => {
    const { status, err } = await run(...sets, '--check', '--trace', 'trace.json')
    expect([status, err]).toEqual([
      2,
      'tessera: --trace trace.json: not with --check, which keeps no timeline\n',
    ])
  })

  test('refuses a precision that is unknown, or without --check', async () => {
    const unknown = await run(...sets, '--check', '--precision', 'fp4')
    expect(unknown.status).toBe(2)
    expect(unknown.err).toMatch(/Allowed choices are fp64, fp16, fp8/)
    const alone = await run(...sets, '--precision', 'fp16')
    expect([alone.status, alone.err]).toEqual([
      2,
      'tessera: --precision fp16: is for --check only\n',
    ])
  })
})
