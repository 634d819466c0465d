import { describe, expect, test } from 'vitest'
import { runCommandLine } from '#main/cli/run-command-line.ts'
import { collectiveInputSchema } from '#shared/schema/collective-input.ts'

const needed = ['--chip', 'flat-2026', '--op', 'sum', '--bytes', '32768', '--participants', '32']

async function run(...args: string[]) {
  let stdout = ''
  let stderr = ''
  const status = await runCommandLine(['collective', ...args], {
    writeOut: text => (stdout += text),
    writeErr: text => (stderr += text),
  })
  return { status, stdout, stderr }
}

test('--json prints one document with the published fields, and nothing else', async () => {
  const { status, stdout, stderr } = await run(...needed, '--impl', 'hw', '--json')
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
    'cycles',
    'seconds',
    'bandwidthBytesPerSecond',
    'steps',
    'parts',
  ])
  expect(collectiveInputSchema.parse(document.input).collective).toMatchObject({
    columns: 32,
    rows: 1,
  })
})

test('prints a table with units for people, and on demand the formulas', async () => {
  const plain = await run(...needed, '--impl', 'sw-tree')
  expect(plain.stdout).toMatch(
    /^sum in software, a tree, on FlatAttention 2026, 2 TB\/s\n32 KiB of/,
  )
  expect(plain.stdout).toMatch(/Runtime +[\d.]+ µs +[\d,]+ cycles at 0.965 GHz/)
  expect(plain.stdout).toMatch(/Steps +5\n/)
  expect(plain.stdout).not.toMatch(/Explanation/)
  const explained = await run(...needed, '--impl', 'sw-tree', '--explain')
  expect(explained.stdout).toMatch(/Explanation\n[^]*T = k · \(c \+ F \+ A \+ B0\)/)
})

describe('participants', () => {
  test.each([
    [['--participants', '8', '--axis', 'column'], { columns: 1, rows: 8 }],
    [['--participants', '8x4', '--axis', 'group'], { columns: 8, rows: 4 }],
    [['--participants', '8'], { columns: 8, rows: 1 }],
  ])('%j', async (more, extent) => {
    const { stdout } = await run(...needed, '--impl', 'hw', '--json', ...more)
    expect(JSON.parse(stdout)).toMatchObject({ input: { collective: extent } })
  })
})

test('--set reaches the chip and the collective, and the chip is called edited', async () => {
  const { stdout } = await run(
    ...[...needed, '--impl', 'sw-pipelined', '--json'],
    ...['--set', 'chip.noc.linkBits=512', '--set', 'collective.stages=4'],
  )
  expect(JSON.parse(stdout)).toMatchObject({
    input: {
      chip: { name: 'FlatAttention 2026, 2 TB/s, edited', noc: { linkBits: 512 } },
      collective: { stages: 4 },
    },
    result: { steps: 36 },
  })
})

test('sw-pipelined has 8 stages where nothing is said', async () => {
  const { stdout } = await run(...needed, '--impl', 'sw-pipelined', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ input: { collective: { stages: 8 } } })
})

describe('bad input ends with status 2 and names field, value and what is allowed', () => {
  test.each([
    [['--participants', '0'], /collective\.columns: must be at least 1, got 0/],
    [['--participants', '33'], /collective\.columns: must be at most 32, .*got 33/],
    [['--participants', '8x4'], /--participants 8x4: with --axis row must be a whole number/],
    [['--participants', '8', '--axis', 'group'], /--participants 8: with --axis group must be col/],
    [['--bytes', '1e3'], /--bytes 1e3: must be a whole number/],
    [['--bytes', '-5'], /--bytes -5: must be a whole number/],
    [['--bytes', '0'], /collective\.bytes: must be at least 1, got 0/],
    [['--bytes', '3'], /collective\.bytes: must be a multiple of the 2 bytes/],
    [['--stages', '8'], /collective\.stages: is for implementation sw-pipelined only/],
    [['--op', 'min'], /'min' is invalid. Allowed choices are multicast, sum, max/],
    [['--impl', 'magic'], /Allowed choices are hw, sw-tree, sw-seq, sw-pipelined/],
    [['--chip', 'flat2026'], /unknown chip preset; known are flat-2025/],
    [['--set', 'collective.size=3'], /unknown field "size"; collective has operation/],
  ])('%j', async (more, message) => {
    const { status, stdout, stderr } = await run(...needed, '--impl', 'hw', ...more)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })

  test('a missing option', async () => {
    const { status, stderr } = await run(...needed)
    expect(status).toBe(2)
    expect(stderr).toMatch(/required option '--impl/)
  })
})
