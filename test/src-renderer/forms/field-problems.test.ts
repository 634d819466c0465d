import { describe, expect, test } from 'vitest'
import { fieldProblems } from '#renderer/forms/field-problems.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import { withValueAt } from '#shared/schema/form-fields.ts'
import { workloadSchema } from '#shared/schema/workload.ts'
import { makeInput } from '#test/src-renderer/support/make-document.ts'

const { chip, workload } = makeInput()

test('a valid configuration has none', () => {
  expect(fieldProblems(chipSchema, chip)).toEqual([])
})

describe('each names its field, the value and what is allowed', () => {
  test.each([
    [['tiles', 'x'], 65_536, 'must be a whole number from 1 to 256 tiles, got 65536'],
    [['tiles', 'x'], Number.NaN, 'must be a whole number from 1 to 256 tiles, got no number'],
    [['tiles', 'x'], 1.5, 'must be a whole number from 1 to 256 tiles, got 1.5'],
    [['clockGHz'], 'fast', 'must be a number from 0.01 to 10 GHz, got "fast"'],
    [['clockGHz'], undefined, 'is missing: must be a number from 0.01 to 10 GHz'],
    [
      ['noc', 'linkBits'],
      100,
      'must be a whole number from 8 to 65,536 bit, a multiple of 8, got 100',
    ],
    [['kernels', 'keyTranspose'], 'never', 'must be one of engine, in-memory, got "never"'],
  ])('%j = %j', (path, value, message) => {
    expect(fieldProblems(chipSchema, withValueAt(chip, path, value))).toEqual([{ path, message }])
  })

  test('an unknown key', () => {
    expect(fieldProblems(chipSchema, { ...chip, cache: 1 })).toEqual([
      { path: ['cache'], message: 'is not a known field' },
    ])
  })

  test('heads that cannot be shared out, with the counts that can', () => {
    const invalid = { ...workload, variant: 'gqa', heads: 12, kvHeads: 8 }
    const [problem, ...others] = fieldProblems(workloadSchema, invalid)
    expect(others).toEqual([])
    expect(problem?.path).toEqual(['kvHeads'])
    expect(problem?.message).toMatch(/12 heads .* 8 KV heads; allowed are 1, 2, 3, 4, 6, 12/)
  })
})
