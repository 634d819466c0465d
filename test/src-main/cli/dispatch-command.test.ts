import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommandLine } from '#main/cli/run-command-line.ts'
import { dispatchInputSchema } from '#shared/schema/dispatch-input.ts'
import { presetSystem } from '#shared/validation/published-wafer.ts'

const needed = ['--system', 'wafer-1tb', '--ep', '4', '--tokens', '32']

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tessera-dispatch-'))
})
afterAll(() => {
  rmSync(directory, { recursive: true })
})

async function run(...args: string[]) {
  let stdout = ''
  let stderr = ''
  const status = await runCommandLine(['dispatch', ...args], {
    writeOut: text => (stdout += text),
    writeErr: text => (stderr += text),
  })
  return { status, stdout, stderr }
}

test('--json prints one document with the published fields, and nothing else', async () => {
  const { status, stdout, stderr } = await run(...needed, '--json')
  expect([status, stderr]).toEqual([0, ''])
  const document = JSON.parse(stdout) as { input: unknown; result: Record<string, unknown> }
  expect(Object.keys(document)).toEqual([
    'schemaVersion',
    'modelVersion',
    'input',
    'result',
    'warnings',
  ])
  expect(Object.keys(document.result)).toEqual([
    'dispatchSeconds',
    'combineSeconds',
    'dispatch',
    'combine',
    'links',
    'maxLinkBytes',
    'chips',
    'expertRows',
  ])
  expect(document.result.chips).toEqual([0, 1, 8, 9])
  expect(dispatchInputSchema.parse(document.input).dispatch.expertParallel).toBe(4)
})

test('prints a table with units for people, and on demand the formulas', async () => {
  const plain = await run(...needed)
  expect(plain.stdout).toMatch(/^Dispatch and combine over 4 chips of Wafer 8 x 8, 1 TB\/s/)
  expect(plain.stdout).toMatch(/Dispatch +[\d.]+ µs +1,024 messages of 7,168 B in 7 flits; held up/)
  expect(plain.stdout).toMatch(/reference-artefact: combineLikeDispatch/)
  expect(plain.stdout).not.toMatch(/Explanation/)
  const explained = await run(...needed, '--explain', '--engine', 'closed-form')
  expect(explained.stdout).toMatch(/Explanation\n[^]*t_data = t_b \+ \(N − 1\) · Δ \+ t_a/)
})

test('--set reaches system, chip and dispatch, and what is edited is called so', async () => {
  const { stdout } = await run(
    ...[...needed, '--json'],
    ...['--set', 'system.d2d.topology=switch', '--set', 'system.chip.clockGHz=1'],
    ...['--set', 'dispatch.width=1024'],
  )
  expect(JSON.parse(stdout)).toMatchObject({
    input: {
      system: {
        name: 'Wafer 8 x 8, 1 TB/s, edited',
        d2d: { topology: 'switch' },
        chip: { name: 'FlatAttention 2026, FP8, 4 TB/s, edited', clockGHz: 1 },
      },
    },
    result: { dispatch: { flitsPerMessage: 1 } },
  })
})

describe('a system file', () => {
  const write = (chip: unknown) => {
    const path = join(directory, 'system.json')
    writeFileSync(path, JSON.stringify({ ...presetSystem('wafer-1tb'), chip }))
    return ['--system', path, ...needed.slice(2)]
  }

  test('may name a preset as its chip', async () => {
    const { status, stdout } = await run(...write('flat-2026'), '--json')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ input: { system: { chip: { clockGHz: 0.965 } } } })
  })

  test('with a chip that is no preset is refused with the known ones', async () => {
    const { status, stderr } = await run(...write('h100'))
    expect(status).toBe(2)
    expect(stderr).toMatch(/system\.chip: unknown chip preset "h100"; known are flat-2025,/)
  })
})

test('redundant experts even out what is skewed', async () => {
  const rowsOf = async (...more: string[]) => {
    const args = ['--system', 'wafer-1tb', '--ep', '32', '--tokens', '64', '--routing', 'zipf']
    const { stdout } = await run(...args, '--engine', 'closed-form', '--json', ...more)
    const { result } = JSON.parse(stdout) as { result: { expertRows: number[] } }
    return Math.max(...result.expertRows)
  }
  expect(await rowsOf('--redundant', '32')).toBeLessThan(0.75 * (await rowsOf()))
})

describe('bad input ends with status 2 and names field, value and what is allowed', () => {
  test.each([
    [['--system', 'wafer'], /unknown system preset; known are wafer-1tb, wafer-160gb/],
    [['--ep', '6'], /dispatch\.expertParallel: must divide the 256 experts, got 6; nearest is 8/],
    [['--ep', '128'], /8 x 8 chips cannot be cut into rectangles of 128; allowed are 1, 2, 4, 8,/],
    [['--ep', 'all'], /--ep: must be a number, got "all"/],
    [['--ep', '0'], /dispatch\.expertParallel: must be at least 1, got 0/],
    [['--tokens', '0'], /dispatch\.tokensPerChip: must be at least 1, got 0/],
    [['--tokens', '1.5'], /dispatch\.tokensPerChip: must be a whole number, got 1\.5/],
    [['--top-k', '9', '--experts', '8'], /dispatch\.topK: must be at most 8, the experts, got 9/],
    [['--redundant', '1000'], /dispatch\.redundantExperts: must be at most 768/],
    [['--routing', 'random'], /Allowed choices are balanced, uniform, zipf/],
    [['--format', 'fp4'], /Allowed choices are fp8, fp8-scaled, bf16/],
    [['--set', 'system.d2d.linkGBps=0'], /system\.d2d\.linkGBps: must be at least 0\.1, got 0/],
    [['--set', 'system.mesh=3'], /unknown field "mesh"; system has schemaVersion, name, chips/],
  ])('%j', async (more, message) => {
    const { status, stdout, stderr } = await run(...needed, ...more)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })
})
