import { describe, expect, test } from 'vitest'
import { resolveWorkload, workloadSchema, type WorkloadConfig } from '#shared/schema/workload.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

const objections = (changes: Partial<WorkloadConfig>) =>
  workloadSchema
    .safeParse(makeWorkload(changes))
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

describe('heads', () => {
  test('that the KV heads do not divide are refused, with both numbers and those that would do', () => {
    expect(objections({ variant: 'gqa', heads: 12, kvHeads: 8 })).toEqual([
      'kvHeads: must divide heads: 12 heads cannot be shared out over 8 KV heads; ' +
        'allowed are 1, 2, 3, 4, 6, 12',
    ])
  })

  test.each([1, 2, 3, 4, 6, 12])('12 may share %d KV heads', kvHeads => {
    expect(objections({ variant: 'gqa', heads: 12, kvHeads })).toEqual([])
  })

  test('all have a KV head of their own in MHA', () => {
    expect(objections({ variant: 'mha', heads: 12, kvHeads: 6 })).toEqual([
      'kvHeads: must equal heads (12) for variant mha, got 6',
    ])
  })

  test('share one KV head in MQA', () => {
    expect(objections({ variant: 'mqa', heads: 12, kvHeads: 6 })).toEqual([
      'kvHeads: must be 1 for variant mqa, got 6',
    ])
  })
})

describe('dimensions of MLA', () => {
  const latent = { variant: 'mla', phase: 'decode', heads: 128, queryLength: 1 } as const

  test('may be left out, and stay left out', () => {
    const config = makeWorkload(latent)
    expect(workloadSchema.parse(config)).toEqual(config)
    expect(resolveWorkload(config).latentDim).toBeUndefined()
  })

  test('are kept where they are given', () => {
    expect(objections({ ...latent, latentDim: 256, ropeDim: 32 })).toEqual([])
    expect(resolveWorkload(makeWorkload({ ...latent, latentDim: 256 })).latentDim).toBe(256)
  })

  test.each(['latentDim', 'ropeDim', 'nopeDim', 'valueDim'])('%s is refused for MHA', field => {
    expect(objections({ [field]: 64 })).toEqual([
      `${field}: is for variant mla only, got 64 for variant mha`,
    ])
  })
})

describe('lengths', () => {
  test('a step of decode has one query', () => {
    expect(objections({ phase: 'decode', queryLength: 2 })).toEqual([
      'queryLength: must be 1 in decode, got 2; use speculativeLength for more rows',
    ])
  })

  test('KV may be empty', () => {
    expect(objections({ kvLength: 0 })).toEqual([])
  })

  test.each([
    { queryLength: 0 },
    { kvLength: -1 },
    { kvLength: 1.5 },
    { batch: 0 },
    { headDim: Number.NaN },
    { headDim: 1e308 },
  ])('%o is refused', changes => {
    const field = Object.keys(changes).join()
    expect(objections(changes)[0]).toMatch(new RegExp(`^${field}: `))
  })
})

test.each([999_999_999, Number.MAX_SAFE_INTEGER])(
  '%d heads are refused at once, without a list of their divisors',
  heads => {
    const candidate = { ...makeWorkload(), variant: 'gqa', heads, kvHeads: 32 }
    const { error } = workloadSchema.safeParse(candidate)
    expect(error?.issues.map(({ path, code }) => [path.join('.'), code])).toEqual([
      ['heads', 'too_big'],
    ])
  },
)

test('a key that nobody knows is refused', () => {
  const candidate = { ...makeWorkload(), seqLen: 4096 }
  expect(workloadSchema.safeParse(candidate).error?.issues).toMatchObject([
    { code: 'unrecognized_keys', keys: ['seqLen'] },
  ])
})

test('a resolved workload is its shape without name and version', () => {
  const { schemaVersion, name, ...shape } = makeWorkload({ batch: 3 })
  expect([schemaVersion, name]).toEqual([1, 'One head'])
  expect(resolveWorkload(makeWorkload({ batch: 3 }))).toEqual(shape)
})
