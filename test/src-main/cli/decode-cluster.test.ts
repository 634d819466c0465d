import { expect, test } from 'vitest'
import { runCommandLine } from '#main/cli/run-command-line.ts'
import { clusterPresets } from '#shared/presets/cluster-presets.ts'
import { clusterInputSchema, type ClusterDocument } from '#shared/schema/cluster-input.ts'

async function run(...args: string[]) {
  let stdout = ''
  let stderr = ''
  const status = await runCommandLine(args, {
    writeOut: text => (stdout += text),
    writeErr: text => (stderr += text),
  })
  return { status, stdout, stderr }
}

const cluster = ['decode', '--system', 'h800-ep144'] as const

async function decoded(...args: string[]): Promise<ClusterDocument> {
  const { status, stdout, stderr } = await run(...cluster, ...args, '--json')
  expect([status, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as ClusterDocument
}

test('a cluster is decoded as it is deployed, where nothing else is said', async () => {
  const { input, result } = await decoded()
  expect(clusterInputSchema.parse(input)).toEqual(input)
  expect(input.deployment).toMatchObject({ batchPerChip: 88, kvLength: 4989, expertParallel: 144 })
  expect(result.tpotSeconds * 1e3).toBeCloseTo(43.83, 1)
  expect(result.terms.map(({ term }) => term)).toEqual([
    ...['weights', 'kv-cache', 'matrix', 'attention', 'all-to-all'],
  ])
})

test('options and --set change it, and its name says so', async () => {
  const { input, result } = await decoded(
    ...[
      '--batch',
      '32',
      '--kv',
      '4096',
      '--ep',
      '72',
      '--speculative',
      '2',
      '--acceptance',
      '0.85',
    ],
    ...['--communication', 'none', '--set', 'system.efficiency.hbm=0.9'],
    ...['--set', 'deployment.redundantExperts=0'],
  )
  expect(input.deployment).toMatchObject({
    batchPerChip: 32,
    expertParallel: 72,
    speculativeLength: 2,
  })
  expect(input.system.name).toMatch(/, edited$/)
  expect(result.tokensPerIteration).toBeCloseTo(1.85, 12)
  expect(result.communication.exposedSeconds).toBe(0)
})

test('text has each term, the kernels and the memory; --explain the formula', async () => {
  const { status, stdout } = await run(...cluster, '--explain')
  expect(status).toBe(0)
  expect(stdout).toMatch(/\n {2}Dispatch and combine +21\.8 ms\n/)
  expect(stdout).toMatch(/\n {2}routed-experts +58 /)
  expect(stdout).toMatch(/\nMemory of a GPU\n/)
  expect(stdout).toContain('T = t_weights + t_kv-cache')
})

test('a dense model sends nothing', async () => {
  const { result } = await decoded('--model', 'qwen-7b', '--ep', '4', '--batch', '32')
  expect(result.communication.bytesPerLayer).toBe(0)
  expect(result.kernels.map(({ name }) => name)).not.toContain('routed-experts')
})

test.each([
  ['--pp 2', /--pp: is for systems of tile-based chips/],
  ['--attention flat', /--attention: is for systems of tile-based chips/],
  ['--engine event', /--engine: is for systems/],
  ['--ep 200', /expertParallel: must be at most 144, the system\.gpus, got 200/],
  ['--batch 0', /batchPerChip: must be at least 1, got 0/],
  ['--batch 1 --communication overlap', /batchPerChip: must be at least 2/],
  ['--speculative 3 --acceptance 0.8', null],
  ['--speculative 3 --acceptance 0.8,0.7,0.6', /acceptance: .* got 3/],
  ['--kv 1 --speculative 2', /speculativeLength: must be at most 1/],
  ['--set system.networkGBps=0', /system\.networkGBps: must be at least 0\.1, got 0/],
  ['--set system.efficiency.hbm=1.2', /system\.efficiency\.hbm: must be at most 1, got 1\.2/],
  ['--batch 1000', /does not fit, .* nearest that fits: batchPerChip 329/],
  ['--ep 1', /does not fit, .* nearest that fits: no batch/],
])('%s ends with status 2, if something is wrong with it', async (args, message) => {
  const { status, stderr } = await run(...cluster, ...args.split(' '))
  expect(status).toBe(message === null ? 0 : 2)
  expect(stderr).toMatch(message ?? /^$/)
})

test('a search and a dispatch refuse a cluster, and name the systems that they take', async () => {
  for (const command of [['plan'], ['dispatch', '--ep', '4', '--tokens', '4']]) {
    const { status, stderr } = await run(...command, '--system', 'h800-ep144')
    expect([command, status]).toEqual([command, 2])
    expect(stderr).toMatch(/GPU cluster.*wafer-1tb/)
  }
})

test('clusters are listed, with a schema', async () => {
  const listed = await run('presets', 'list')
  for (const { id } of clusterPresets) expect(listed.stdout).toContain(`cluster   ${id}`)
  const schema = await run('schema', 'cluster')
  expect(JSON.parse(schema.stdout)).toMatchObject({ title: 'Tessera GPU cluster' })
})
