import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommandLine } from '#main/cli/run-command-line.ts'
import { modelPresets } from '#shared/presets/model-presets.ts'
import { decodeInputSchema, type DecodeDocument } from '#shared/schema/decode-input.ts'
import { planInputSchema, type PlanDocument } from '#shared/schema/plan-input.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tessera-cli-'))
  process.env.TESSERA_DATA_DIR = directory
})
afterAll(() => {
  delete process.env.TESSERA_DATA_DIR
  rmSync(directory, { recursive: true })
})

async function run(...args: string[]) {
  let stdout = ''
  let stderr = ''
  const status = await runCommandLine(args, {
    writeOut: text => (stdout += text),
    writeErr: text => (stderr += text),
  })
  return { status, stdout, stderr }
}

const wafer = ['decode', '--system', 'wafer-1tb'] as const

async function decoded(...args: string[]): Promise<DecodeDocument> {
  const { status, stdout, stderr } = await run(...args, '--no-save', '--json')
  expect([status, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as DecodeDocument
}

describe('the history', () => {
  test('keeps a deployment, finds it again, shows it and lists it', async () => {
    const point = [...wafer, '--batch', '32'] as const
    const first = await run(...point)
    expect(first.stderr).toContain('kept as run 1')
    const second = await run(...point)
    expect(second.stderr).toContain('from the history (run 1)')
    expect(second.stdout).toBe(first.stdout)
    expect((await run(...point, '--again')).stderr).toContain('kept as run 2')
    const shown = await run('runs', 'show', '1', '--explain')
    expect(shown.stdout).toContain(first.stdout.trim())
    expect(shown.stdout).toContain('Source: Counting')
    expect((await run('runs', 'list')).stdout).toMatch(/flat +\S+ ms +n\/a +DeepSeek/)
  })
})

describe('tessera decode', () => {
  test('--json prints one document with the published fields', async () => {
    const document = await decoded(
      ...[...wafer, '--batch', '256', '--kv', '4096', '--ep', '32', '--pp', '2'],
      ...['--attention', 'flat'],
    )
    expect(Object.keys(document)).toEqual([
      ...['schemaVersion', 'modelVersion', 'input', 'result', 'warnings'],
    ])
    expect(decodeInputSchema.parse(document.input)).toEqual(document.input)
    const { result } = document
    expect(Object.keys(result)).toEqual(
      expect.arrayContaining([
        ...['tpotSeconds', 'iterationSeconds', 'layerSeconds', 'tokensPerSecondPerChip'],
        ...['systemTokensPerSecond', 'tokensPerIteration', 'fits', 'memory', 'kernels'],
        ...['communication', 'sequencesInFlight'],
      ]),
    )
    expect(Object.keys(result.kernels[0] ?? {})).toEqual(
      expect.arrayContaining([
        ...['name', 'stage', 'count', 'seconds', 'share', 'matrixUtilization'],
        ...['hbmBandwidthUtilization', 'flops', 'hbmBytes', 'bound'],
      ]),
    )
    expect(result.tpotSeconds).toBeCloseTo(0.0358, 2)
    expect(result.sequencesInFlight).toBe(64 * 256)
  })

  test('prints rates, kernels, communication and memory for people', async () => {
    const { status, stdout } = await run(...wafer, '--explain')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^DeepSeek-v3 671B on Wafer 8 x 8, 1 TB\/s \(8 x 8\), EP32-PP2\n/)
    expect(stdout).toMatch(/\nTPOT +35\.\d+ ms/)
    expect(stdout).toMatch(/\n {2}attention +31 /)
    expect(stdout).toMatch(/\n {2}Dispatch +6\d\.\d+ µs/)
    expect(stdout).toMatch(/ of 128 GiB\n/)
    expect(stdout).toContain('\nExplanation\n')
  })

  test('fills in the split that is left open', async () => {
    const splits = await Promise.all(
      [['--ep', '1', '--batch', '8'], ['--pp', '4'], []].map(async args => {
        const { expertParallel, pipelineParallel } = (await decoded(...wafer, ...args)).input
          .deployment
        return [expertParallel, pipelineParallel]
      }),
    )
    expect(splits).toEqual([
      [1, 61],
      [16, 4],
      [32, 2],
    ])
  })

  test('times a new design without the conventions of the published one', async () => {
    const off = ['wholeCyclesPerFlit', 'endsWithAcknowledgement', 'combineLikeDispatch']
    const document = await decoded(
      ...wafer,
      ...[...off, 'ownChipThroughRouter'].flatMap(name => [
        '--set',
        `system.referenceArtefacts.${name}=false`,
      ]),
    )
    expect(document.input.deployment).toMatchObject({
      layers: 'exact',
      referenceArtefacts: { firstTileTimer: false, downProjectionLikeUp: false },
    })
    expect(document.input.system.name).toMatch(/edited/)
  })

  test('takes a model from a file, and every model preset', async () => {
    const [preset] = modelPresets
    const file = join(directory, 'model.json')
    writeFileSync(file, JSON.stringify({ ...preset?.config, name: 'mine', layers: 31 }))
    const { input, result } = await decoded(...wafer, '--model', file)
    expect(input.model.name).toBe('mine')
    expect(result.pipeline.layersPerStage).toEqual([16, 15])
    for (const { id } of modelPresets) {
      expect((await decoded(...wafer, '--model', id, '--batch', '16')).result.fits).toBe(true)
    }
  })

  test('takes a chance for each draft, and says so', async () => {
    const list = [...wafer, '--speculative', '3', '--acceptance', '0.8,0.8', '--explain']
    const { input, result, explanation, warnings } = await decoded(...list)
    expect(input.deployment.acceptance).toEqual([0.8, 0.8])
    expect(result.tokensPerIteration).toBeCloseTo(2.44, 12)
    const terms = explanation.find(({ field }) => field === 'tokensPerIteration')?.terms
    expect(terms?.map(({ symbol }) => symbol)).toEqual(['a_1', 'a_2', 's'])
    expect(warnings.map(({ message }) => message).join('\n')).toContain('chances of 0.8, 0.8,')
    const same = await decoded(
      ...wafer,
      '--speculative',
      '3',
      '--set',
      'deployment.acceptance=0.8,0.8',
    )
    expect(same.result).toEqual(result)
  })

  const cases: readonly (readonly [args: string, message: RegExp])[] = [
    ['--ep 3', /expertParallel: .*divide the 256 experts, got 3; .*nearest is 4/],
    ['--ep 128', /expertParallel: .*got 128; allowed are 1, 2, 4, 8, 16, 32, 64; nearest is 64/],
    ['--ep 1 --pp 64', /pipelineParallel: must be at most 61, the layers.*nearest is 61/],
    ['--ep 32 --pp 4', /pipelineParallel: must be at most 2: 32 x 4 chips are more than the 64/],
    ['--batch 0', /batchPerChip: must be at least 1, got 0/],
    ['--batch 1.5', /batchPerChip: must be a whole number, got 1\.5/],
    ['--batch many', /--batch: must be a number, got "many"/],
    ['--kv 0', /kvLength: must be at least 1, got 0/],
    ['--kv 1', /speculativeLength: must be at most 1, the kvLength/],
    ['--acceptance 2', /acceptance: must be at most 1, got 2/],
    ['--acceptance 0.8,0.7', /deployment\.acceptance: .* one for each of the 1 drafts .*, got 2/],
    ['--speculative 3 --acceptance 0.8,1.2', /acceptance\[1\]: must be at most 1, got 1\.2/],
    ['--acceptance often', /--acceptance: must be a number, got "often"/],
    ['--set deployment.acceptance=0.8,x', /must be a finite number, or several with commas/],
    ['--engine guess', /--engine/],
    ['--batch 1 --communication overlap', /batchPerChip: must be at least 2 for .*overlap/],
    ['--set system.d2d.linkGBps=0', /system\.d2d\.linkGBps: must be at least 0\.1, got 0/],
    ['--set model.experts.topK=300', /model\.experts\.topK: /],
    ['--set deployment.nonsense=1', /unknown field "nonsense"/],
    ['--model nobody', /--model nobody: unknown model preset/],
    ['--model qwen-7b --attention flash-fair', /attention: must be flat or flash for grouped/],
    [
      '--set system.chips.x=1 --set system.chips.y=1 --batch 1',
      /does not fit, .* are missing on the fullest chip/,
    ],
    [
      '--set system.chip.hbm.capacityGiB=0.1 --set model.experts.inner=16384 --batch 1',
      /nearest that fits, each with the rest as it is: none; a single expert is larger/,
    ],
  ]

  test.each(cases)('%s ends with status 2', async (args, message) => {
    const { status, stdout, stderr } = await run(...wafer, ...args.split(' '))
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })

  test.each([
    ['--ep 128', 1],
    ['--ep 0', 1],
    ['--pp 0', 1],
    ['--set model.layers=0', 2],
  ])('%s is answered without messages that only follow from it', async (args, lines) => {
    const { stderr } = await run(...wafer, ...args.split(' '))
    expect(stderr.trim().split('\n')).toHaveLength(lines)
    expect(stderr).not.toMatch(/at most 0:|at most -/)
  })

  test.each([
    ['--set system.d2d.linkGBps=-5', /system\.d2d\.linkGBps: must be at least 0\.1, got -5/],
    ['--set system.chips.x=0', /system\.chips\.x: must be at least 1, got 0/],
    ['--kv 99999999', /kvLength: must be at most 16777216, got 99999999/],
    ['--speculative 70', /speculativeLength: must be at most 64, got 70/],
    ['--set system.d2d.fifoFlits=1', /creditBatch: must be at most 1, .* no credit would ever/],
    ['--set deployment.redundantExperts=7', /divide the 256 experts and 7 further copies/],
    [
      '--model qwen-7b --set model.attention.heads=12',
      /kvHeads: must divide the 12 query heads, got 8; allowed are 1, 2, 3, 4, 6, 12/,
    ],
  ])('%s names the field, the value and what is allowed', async (args, message) => {
    const { status, stderr } = await run(...wafer, ...args.split(' '))
    expect(status).toBe(2)
    expect(stderr).toMatch(message)
  })

  test('warns of a context beyond that of the model', async () => {
    const { warnings } = await decoded(...wafer, '--batch', '1', '--kv', '200000')
    expect(warnings.map(({ message }) => message).join('\n')).toMatch(/kvLength 200000 is beyond/)
  })

  test('a mesh of one chip sends nothing', async () => {
    const { result, warnings } = await decoded(
      ...[...wafer, '--model', 'qwen-7b', '--batch', '4'],
      ...['--set', 'system.chips.x=1', '--set', 'system.chips.y=1'],
    )
    expect(result.communication.dispatchSeconds).toBe(0)
    expect(warnings.map(({ code }) => code)).toContain('idle-chips')
  })
})

describe('tessera plan', () => {
  const few = ['--batches', '64,256', '--ep', '32', '--attention', 'flat']

  test('--json prints one document', async () => {
    const { status, stdout } = await run('plan', '--system', 'wafer-1tb', ...few, '--json')
    expect(status).toBe(0)
    const document = JSON.parse(stdout) as PlanDocument
    expect(planInputSchema.parse(document.input)).toEqual(document.input)
    expect(document.result.best).toMatchObject({ batchPerChip: 256, expertParallel: 32 })
    expect(document.result.searched).toBe(4)
  })

  test('prints the best, the front and the next change', async () => {
    const { status, stdout } = await run(
      ...['plan', '--system', 'wafer-1tb', ...few, '--slo-ms', '30', '--explain'],
    )
    expect(status).toBe(0)
    expect(stdout).toMatch(/\nBest +EP32-PP\d, batch 64, flat\n/)
    expect(stdout).toMatch(/\nPareto front\n/)
    expect(stdout).toMatch(/ \+[\d.]+ %\n/)
    expect(stdout).toContain('\nExplanation\n')
  })

  test('says what is unreachable, and how near it comes', async () => {
    const { status, stdout } = await run(
      ...['plan', '--system', 'wafer-1tb', ...few, '--slo-ms', '0.1'],
    )
    expect(status).toBe(0)
    expect(stdout).toMatch(/\nunreachable: no point meets a TPOT of 100 µs/)
  })

  test.each([
    ['--ep 3', /expertParallel: .*got 3; .*nearest is 4/],
    ['--batches 0', /search\.batches/],
    ['--slo-ms -1', /search\.sloMs: must be at least 0\.001, got -1/],
    ['--slo-ms soon', /--slo-ms: must be a number, got "soon"/],
  ])('%s ends with status 2', async (args, message) => {
    const { status, stderr } = await run('plan', '--system', 'wafer-1tb', ...args.split(' '))
    expect(status).toBe(2)
    expect(stderr).toMatch(message)
  })
})
