import { describe, expect, test } from 'vitest'
import { runCommandLine } from '#main/cli/run-command-line.ts'
import type { VectorResult } from '#shared/results/vector-result.ts'
import { vectorInputSchema } from '#shared/schema/vector-input.ts'

async function run(kernel: string, ...more: readonly string[]) {
  let stdout = ''
  let stderr = ''
  const chip = ['--chip', 'flat-2026-fp8', '--dtype', 'fp8', '--tokens', '512']
  const status = await runCommandLine(['vector', '--kernel', kernel, ...chip, ...more], {
    writeOut: text => (stdout += text),
    writeErr: text => (stderr += text),
  })
  return { status, stdout, stderr }
}

describe('tessera vector', () => {
  test('--json prints one document with the published fields, and nothing else', async () => {
    const { status, stdout, stderr } = await run('rms-norm', '--width', '7168', '--json')
    expect([status, stderr]).toEqual([0, ''])
    const document = JSON.parse(stdout) as { input: unknown; result: VectorResult }
    expect(Object.keys(document)).toEqual([
      'schemaVersion',
      'modelVersion',
      'input',
      'result',
      'warnings',
    ])
    expect(vectorInputSchema.parse(document.input)).toMatchObject({
      kind: 'vector',
      timing: 'all-tiles',
      workload: { kernel: 'rms-norm', tokens: 512, width: 7168, dtype: 'fp8', data: 'zeros' },
    })
    expect(document.result).toMatchObject({
      hbmReadBytes: 512 * 7168,
      hbmWriteBytes: 512 * 7168,
      bound: 'memory',
      mapping: { activeTiles: 512, tokensPerTile: 1, enginesPerToken: 1 },
    })
    expect(document.result.cycles).toBe(document.result.cyclesAllTiles)
  })

  test('prints a table with units for people, and formulas with --explain', async () => {
    const { status, stdout } = await run('add', '--width', '7168', '--explain')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^add on FlatAttention 2026, FP8, 4 TB\/s\n512 tokens, width 7168, fp8/)
    expect(stdout).toMatch(/Runtime +[\d.]+ µs +[\d,]+ cycles at 1.93 GHz/)
    expect(stdout).toMatch(/\nTime\n {2}Vector +[\d.]+ ns +[\d.]+ %/)
    expect(stdout).toMatch(/Bytes read from HBM \(hbmReadBytes\): 7 MiB\n {2}R = M · 2 · w · e/)
  })

  test('takes the timer of the authors, data, and overrides of chip and workload', async () => {
    const { stdout } = await run(
      ...(['top-k', '--experts', '256', '--top-k', '8', '--data', 'random'] as const),
      ...['--timing', 'first-tile', '--set', 'chip.tiles.x=16', '--set', 'workload.tokens=9'],
      '--json',
    )
    expect(JSON.parse(stdout)).toMatchObject({
      input: {
        timing: 'first-tile',
        chip: { name: 'FlatAttention 2026, FP8, 4 TB/s, edited', tiles: { x: 16 } },
        workload: { width: 256, experts: 256, topK: 8, tokens: 9, data: 'random' },
      },
      result: { mapping: { activeTiles: 9 } },
    })
  })

  test('simulates every tile and channel with --engine event, as JSON with its report', async () => {
    const { status, stdout } = await run('add', '--width', '64', '--engine', 'event', '--json')
    expect(status).toBe(0)
    const document = JSON.parse(stdout) as Record<string, unknown>
    expect(document).toMatchObject({
      input: { kind: 'vector', engine: 'event' },
      event: { iterations: 1, simulatedIterations: 1, tiles: { columns: 32, rows: 32 } },
    })
    expect(Object.keys(document.event as object).toSorted()).toEqual([
      'channels',
      'events',
      'iterations',
      'links',
      'simulatedCycles',
      'simulatedIterations',
      'tiles',
    ])
  })

  test('an unknown engine is answered with the known ones', async () => {
    const { status, stderr } = await run('add', '--width', '64', '--engine', 'exact')
    expect(status).toBe(2)
    expect(stderr).toMatch(/Allowed choices are phase, event/)
  })

  test.each([
    ['no width', 'add', [], /workload\.width: is missing; add needs the elements of a row/],
    ['a width of zero', 'add', ['--width', '0'], /workload\.width: must be at least 1, got 0/],
    [
      'a width that is no number',
      'add',
      ['--width', '1e3'],
      /--width: must be a whole number, got/,
    ],
    ['an odd width of rope', 'rope', ['--width', '63'], /workload\.width: must be even, .* got 63/],
    ['no tokens', 'add', ['--width', '8', '--tokens', '0'], /workload\.tokens: must be at least 1/],
    ['no experts', 'dispatch', ['--top-k', '8'], /workload\.experts: is missing; dispatch needs/],
    ['no top-k', 'combine', ['--width', '8'], /workload\.topK: is missing; combine needs the/],
    [
      'more experts of a token than there are',
      'top-k',
      ['--experts', '8', '--top-k', '9'],
      /workload\.topK: must be at most 8, the experts, got 9/,
    ],
    [
      'experts that are not the scores',
      'top-k',
      ['--experts', '8', '--width', '9', '--top-k', '2'],
      /workload\.experts: must be the 9 scores of workload\.width, got 8/,
    ],
    [
      'experts of a kernel without any',
      'add',
      ['--width', '8', '--experts', '8'],
      /workload\.experts: is for top-k, dispatch, combine only, got 8 with add/,
    ],
    ['an unknown timer', 'add', ['--timing', 'last'], /Allowed choices are all-tiles, first-tile/],
    [
      'a row beyond L1',
      'add',
      ['--width', '200000'],
      /workload\.width: a token of add with width 200000 in fp8 needs 400000 bytes .* gives 393216/,
    ],
  ])('%s ends with status 2 and says what is allowed', async (_, kernel, args, message) => {
    const { status, stdout, stderr } = await run(kernel, ...args)
    expect(stderr).toMatch(message)
    expect([status, stdout]).toEqual([2, ''])
  })

  test('an unknown kernel is answered with the known ones', async () => {
    const { status, stderr } = await run('softmax', '--width', '8')
    expect(status).toBe(2)
    expect(stderr).toMatch(/Allowed choices are rms-norm, rope, silu-gate, add, top-k, dispatch/)
  })
})
