import { describe, expect, test } from 'vitest'
import { runCommandLine } from '#main/cli/run-command-line.ts'
import { gemmInputSchema } from '#shared/schema/gemm-input.ts'
import type { GemmResult } from '#shared/results/gemm-result.ts'

/** In this process: starting one for each case would take minutes. */
async function run(...more: readonly string[]) {
  let stdout = ''
  let stderr = ''
  const args = ['gemm', '--chip', 'flat-2026', '--m', '4096', '--n', '4096', '--k', '4096', ...more]
  const status = await runCommandLine(args, {
    writeOut: text => (stdout += text),
    writeErr: text => (stderr += text),
  })
  return { status, stdout, stderr }
}

describe('tessera gemm', () => {
  test('says where a sum does not wait for the products, which can be switched off', async () => {
    const gate = ['--m', '64', '--n', '256', '--k', '7168', '--engine', 'event']
    const field = 'chip.referenceArtefacts.sumBeforeProducts'
    const [early, late, unclear] = [
      await run(...gate),
      await run(...gate, '--set', `${field}=false`),
      await run(...gate, '--set', `${field}=later`),
    ]
    expect([early.status, late.status]).toEqual([0, 0])
    expect(early.stdout).toContain('sumBeforeProducts: the sum over the groups does not wait')
    expect(late.stdout).not.toContain('sumBeforeProducts')
    expect([unclear.status, unclear.stdout]).toEqual([2, ''])
    expect(unclear.stderr).toContain(`${field}: must be true or false, got "later"`)
  })

  test('--json prints one document with the published fields, and nothing else', async () => {
    const { status, stdout, stderr } = await run('--dtype', 'fp8', '--json')
    expect([status, stderr]).toEqual([0, ''])
    const document = JSON.parse(stdout) as { input: unknown; result: GemmResult }
    expect(Object.keys(document)).toEqual([
      'schemaVersion',
      'modelVersion',
      'input',
      'result',
      'warnings',
    ])
    expect(gemmInputSchema.parse(document.input).workload).toEqual({
      m: 4096,
      n: 4096,
      k: 4096,
      batch: 1,
      dtype: 'fp8',
    })
    expect(document.result).toMatchObject({
      mapping: {
        tileM: 128,
        tileN: 128,
        tileK: 128,
        groupX: 32,
        groupY: 32,
        groups: 1,
        split: 'none',
      },
      usefulFlops: 2 * 4096 ** 3,
      hbmReadBytes: 2 * 4096 ** 2,
      hbmWriteBytes: 4096 ** 2,
      bound: 'compute',
    })
    const sum = document.result.breakdown.reduce((total, part) => total + part.seconds, 0)
    expect(sum).toBeCloseTo(document.result.seconds, 12)
  })

  test('prints a table with units for people', async () => {
    const { status, stdout } = await run()
    expect(status).toBe(0)
    expect(stdout).toMatch(/^SUMMA GEMM on FlatAttention 2026, 2 TB\/s\nm 4096, n 4096, k 4096/)
    expect(stdout).toMatch(/Runtime +[\d.]+ µs +[\d,]+ cycles at 0.965 GHz/)
    expect(stdout).toMatch(/\nExposed time\n {2}Matrix +[\d.]+ µs +[\d.]+ %/)
    expect(stdout).toMatch(/\n {2}Group +32 x 32 tiles +1 group, nothing is split\n/)
    expect(stdout).toMatch(/\nWarnings\n {2}reference-artefact: /)
  })

  test('--explain adds formula, values and sources, also to the JSON', async () => {
    const text = await run('--explain')
    expect(text.stdout).toMatch(/Useful FLOPs \(usefulFlops\): 137\.4 GFLOP\n {2}F = 2 · b · m/)
    const json = JSON.parse((await run('--explain', '--json')).stdout) as { explanation: unknown[] }
    expect(json.explanation.length).toBeGreaterThan(15)
  })

  test('--engine event simulates the same, and says so', async () => {
    const small = ['--set', 'chip.tiles.x=4', '--set', 'chip.tiles.y=4', '--m', '512', '--n', '512']
    const { status, stdout } = await run(...small, '--k', '512', '--engine', 'event', '--json')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      input: { engine: 'event' },
      event: { iterations: 4, tiles: { columns: 4, rows: 4 } },
    })
  })

  test('takes overrides of chip, workload and mapping', async () => {
    const sets = ['chip.tiles.x=16', 'workload.batch=2', 'mapping.split=n', 'mapping.tileK=64']
    const { stdout } = await run(...sets.flatMap(set => ['--set', set]), '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      input: {
        chip: { name: 'FlatAttention 2026, 2 TB/s, edited', tiles: { x: 16 } },
        workload: { batch: 2 },
        mapping: { split: 'n', tileK: 64 },
      },
      result: { mapping: { tileK: 64, groupX: 16 } },
    })
  })

  test.each([
    ['a side of zero', ['--m', '0'], /workload\.m: must be at least 1, got 0/],
    ['a side that is too long', ['--k', '99999999'], /workload\.k: must be at most 16777216, got/],
    ['a side that is no number', ['--n', '1e3'], /--n: must be a whole number, got "1e3"/],
    ['an unknown engine', ['--engine', 'exact'], /Allowed choices are phase, event/],
    ['an empty batch', ['--batch', '0'], /workload\.batch: must be at least 1, got 0/],
    ['an unknown type', ['--dtype', 'fp4'], /Allowed choices are fp16, fp8/],
    [
      'an unknown chip',
      ['--chip', 'h100'],
      /--chip h100: unknown chip preset; known are flat-2025/,
    ],
    [
      'an unknown split',
      ['--set', 'mapping.split=m'],
      /mapping\.split: must be one of none, k, n, batch, got "m"/,
    ],
    [
      'an unknown field',
      ['--set', 'mapping.sliceRows=4'],
      /unknown field "sliceRows"; mapping has tileM, tileN, tileK, groupX, groupY, groups, split/,
    ],
    [
      'a group beyond the mesh',
      ['--set', 'mapping.groupX=64'],
      /mapping\.groupX: must be at most 32 \(chip\.tiles\.x\), got 64/,
    ],
    [
      'tiles beyond L1',
      ['--set', 'mapping.tileM=512', '--set', 'mapping.tileN=512'],
      /needs 1 MiB of L1 in fp16, but chip\.l1\.capacityKiB gives 384 KiB; tiles of 128 × 128 × 128 fit/,
    ],
  ])('%s ends with status 2 and says what is allowed', async (_, args, message) => {
    const { status, stdout, stderr } = await run(...args)
    expect(stderr).toMatch(message)
    expect([status, stdout]).toEqual([2, ''])
  })
})
