import { describe, expect, test, vi } from 'vitest'
import { dataflowsOf } from '#shared/mapping/dataflow.ts'
import { checkInputSchema, type CheckInput } from '#shared/schema/check-input.ts'
import { checkAttention, runCheck } from '#shared/simulate/check-attention.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
import { makeChipConfig } from '#test/support/make-chip.ts'
import { makeCheckInput, makeSmallChip } from '#test/support/make-check-input.ts'

// Machines that build and test at the same time are slow.
vi.setConfig({ testTimeout: 60_000 })

const dataflows = dataflowsOf({ variant: 'mha', phase: 'prefill' })

type Changes = Parameters<typeof makeCheckInput>[0]

const check = (changes: Changes) => runCheck(makeCheckInput(changes)).result

const variants = {
  mha: { variant: 'mha', heads: 3, kvHeads: 3 },
  gqa: { variant: 'gqa', heads: 6, kvHeads: 2 },
  mqa: { variant: 'mqa', heads: 3, kvHeads: 1 },
} as const

const phases = {
  prefill: { phase: 'prefill', queryLength: 29, kvLength: 43 },
  'decode of 3 speculated tokens': {
    phase: 'decode',
    queryLength: 1,
    speculativeLength: 3,
    kvLength: 37,
  },
} as const

const kernels = dataflows.flatMap(dataflow =>
  Object.keys(variants).flatMap(variant =>
    Object.keys(phases).flatMap(phase =>
      [false, true].map(causal => ({
        dataflow,
        variant: variant as keyof typeof variants,
        phase: phase as keyof typeof phases,
        causal,
      })),
    ),
  ),
)

describe('every dataflow computes attention', () => {
  test.each(kernels)('$dataflow, $variant, $phase, causal $causal', kernel => {
    const { dataflow, variant, phase, causal } = kernel
    const workload = { batch: 2, ...variants[variant], ...phases[phase], causal }
    const result = check({ dataflow, workload })
    expect(result).toMatchObject({ passed: true, hazards: 0, rowsNotComputed: 0 })
    expect(result.largestRelative).toBeLessThan(1e-12)
    // A mapping that left rows out would have nothing to be wrong about.
    const rows = 2 * variants[variant].heads * (phase === 'prefill' ? 29 : 3)
    expect(result.rowsChecked).toBe(rows)
    expect(result.rowsNotStored + result.rowsStoredAgain).toBe(0)
  })

  test.each(dataflows)(
    '%s, rounding FP16 and FP8 stay within their bounds, and are seen',
    dataflow => {
      const fp16 = check({ dataflow, precision: 'fp16' })
      const fp8 = check({ dataflow, precision: 'fp8' })
      expect([fp16.passed, fp8.passed]).toEqual([true, true])
      expect(fp16.largestAbsolute).toBeGreaterThan(2 ** -14)
      expect(fp8.largestAbsolute).toBeGreaterThan(2 ** -7)
      expect(fp16.bound).toBeLessThan(0.1)
      expect(fp8.bound).toBeLessThan(0.5)
    },
  )
})

describe('odd meshes, groups and shapes', () => {
  const flat = dataflows.filter(dataflow => dataflow.startsWith('flat'))
  const cases = flat.flatMap(dataflow =>
    (['diagonal', 'edge'] as const).map(loaders => ({ dataflow, loaders })),
  )

  test.each(cases)(
    '$dataflow on 5 × 3 tiles in groups of 5 × 3, $loaders',
    ({ dataflow, loaders }) => {
      const mapping = { groupX: 5, groupY: 3, sliceRows: 5, sliceCols: 3 }
      const workload = { queryLength: 34, kvLength: 31, causal: true, heads: 3, kvHeads: 3 }
      expect(
        check({ dataflow, loaders, chip: makeSmallChip(5, 3), mapping, workload }).passed,
      ).toBe(true)
    },
  )

  test.each(cases)('$dataflow in groups of one row and of one column, $loaders', kernel => {
    const chip = makeSmallChip(3, 4)
    const workload = { heads: 5, kvHeads: 5, kvLength: 40 }
    for (const group of [
      { groupX: 3, groupY: 1 },
      { groupX: 1, groupY: 4 },
      { groupX: 1, groupY: 1 },
    ]) {
      const mapping = { ...group, sliceRows: 7, sliceCols: 9 }
      expect(check({ ...kernel, chip, mapping, workload })).toMatchObject({ passed: true })
    }
  })

  test.each(dataflows)('%s, more queries than keys: the first see none, and are 0', dataflow => {
    const workload = { queryLength: 30, kvLength: 11, causal: true }
    expect(check({ dataflow, workload }).passed).toBe(true)
  })

  test.each(dataflows)('%s without keys stores zeros', dataflow => {
    expect(check({ dataflow, workload: { kvLength: 0 } })).toMatchObject({
      passed: true,
      largestAbsolute: 0,
    })
  })

  test('FlatAsync interleaves what it can of an odd number of jobs', () => {
    for (const heads of [1, 2, 3, 5, 9, 13]) {
      expect(check({ workload: { heads, kvHeads: heads } }).passed).toBe(true)
    }
  })

  test.each(dataflows)('%s where K lies transposed in memory', dataflow => {
    const chip = makeSmallChip(4, 4)
    const kernelsOfChip = { ...chip.kernels, keyTranspose: 'in-memory' as const }
    expect(check({ dataflow, chip: { ...chip, kernels: kernelsOfChip } }).passed).toBe(true)
  })

  test.each(dataflows)(
    '%s where masked blocks are computed, and the swapped rescale takes its time',
    dataflow => {
      const chip = makeChipConfig({ tiles: { x: 4, y: 4 } })
      const document = runCheck(makeCheckInput({ dataflow, chip, workload: { causal: true } }))
      expect(document.result.passed).toBe(true)
      expect(document.warnings.map(({ code }) => code)).toContain('reference-artefact')
    },
  )

  test('the automatic mapping', () => {
    for (const dataflow of dataflows) {
      const workload = { queryLength: 200, kvLength: 300, headDim: 16, causal: true }
      expect(check({ dataflow, mapping: {}, workload }).passed).toBe(true)
    }
  })
})

describe('the document of a check', () => {
  test('names itself, its versions and its input, and explains its bound', () => {
    const input = makeCheckInput({ precision: 'fp16' })
    const document = runCheck(input)
    expect(Object.keys(document)).toEqual([
      'kind',
      'schemaVersion',
      'modelVersion',
      'input',
      'result',
      'explanation',
      'warnings',
    ])
    expect(checkInputSchema.parse(document.input)).toEqual(input)
    expect(document.explanation[0]).toMatchObject({ field: 'bound', value: document.result.bound })
    expect(document.result.largestAt).toMatchObject({
      sequence: 0,
      computed: expect.any(Number) as number,
      exact: expect.any(Number) as number,
    })
  })

  test('is the same each time, and another for another seed', () => {
    const run = (seed: number) => runCheck(makeCheckInput({ seed }))
    expect(run(1)).toEqual(run(1))
    expect(run(1).result.largestAt?.exact).not.toBe(run(2).result.largestAt?.exact)
  })

  test('reports progress that only grows', () => {
    const done: number[] = []
    for (const step of checkAttention(makeCheckInput())) {
      done.push(step.done)
      expect(step.done).toBeLessThanOrEqual(step.total)
    }
    expect(done.length).toBeGreaterThan(20)
    expect(done).toEqual(done.toSorted((a, b) => a - b))
  })
})

describe('kernels that are refused', () => {
  const refusal = (changes: Changes): string => {
    try {
      runCheck(makeCheckInput(changes))
    } catch (error) {
      if (error instanceof InfeasibleError) return error.message
      throw error
    }
    return 'not refused'
  }
  const large: Partial<CheckInput['workload']> = { batch: 100, heads: 32, kvHeads: 32, headDim: 64 }

  test('too many FLOPs: the limit, and a batch that passes', () => {
    const workload = { ...large, queryLength: 256, kvLength: 256 }
    const message = refusal({ mapping: {}, workload })
    expect(message).toMatch(
      /at most 4.295 GFLOP, padding included, but this kernel takes 53.69 GFLOP/,
    )
    expect(message).toMatch(/a batch of up to 8 is allowed$/)
    expect(refusal({ mapping: {}, workload: { ...workload, batch: 9 } })).toMatch(/at most/)
  })

  test('a single sequence that is too long: lengths that pass', () => {
    const workload = { ...large, batch: 1, queryLength: 4096, kvLength: 4096 }
    expect(refusal({ mapping: {}, workload })).toMatch(
      /allowed are batch 1, queryLength \d+ and kvLength \d+$/,
    )
  })

  test('too many buffers, and too many blocks', () => {
    const chip = makeChipConfig()
    const slices = { groupX: 32, groupY: 32, sliceRows: 128, sliceCols: 128 }
    expect(refusal({ chip, mapping: slices, workload: { headDim: 32 } })).toMatch(
      /at most 512 MiB, padding included, but this kernel takes .* use fewer tiles$/,
    )
    const tiny = { groupX: 1, groupY: 1, sliceRows: 1, sliceCols: 1 }
    expect(refusal({ mapping: tiny, workload: { queryLength: 1000, kvLength: 1000 } })).toMatch(
      /at most 262,144 column blocks of tiles/,
    )
  })

  test('a dataflow that is for another variant', () => {
    expect(refusal({ dataflow: 'flash-mla' })).toMatch(
      /^dataflow: flash-mla is for decode of variant mla/,
    )
  })

  test('a group that does not fit the mesh', () => {
    expect(refusal({ mapping: { groupX: 5 } })).toBe(
      'mapping.groupX: must be at most 4 (chip.tiles.x), got 5',
    )
  })
})
