import { expect, test } from 'vitest'
import { inputSha256, runsSha256 } from '#main/storage/run-identity.ts'
import { makeInput, makeSpec } from '#test/support/main-inputs.ts'

const input = makeInput()
const sha256 = inputSha256(input)

test('is a SHA-256 in hex', () => {
  expect(sha256).toMatch(/^[0-9a-f]{64}$/)
})

test('does not depend on the order of keys, nor on members that are undefined', () => {
  const reversed = Object.fromEntries(Object.entries(input).reverse()) as typeof input
  expect(inputSha256(reversed)).toBe(sha256)
  const withUndefined = { ...input, extra: undefined }
  expect(inputSha256(withUndefined)).toBe(sha256)
})

test('does not depend on names: they change no number', () => {
  const renamed = {
    ...input,
    chip: { ...input.chip, name: 'A' },
    workload: { ...input.workload, name: 'B' },
  }
  expect(inputSha256(renamed)).toBe(sha256)
})

test.each([
  ['a field of the chip', { ...input, chip: { ...input.chip, clockGHz: 1.1 } }],
  ['a field of the workload', { ...input, workload: { ...input.workload, batch: 3 } }],
  ['the dataflow', makeInput(makeSpec({ dataflows: ['fa2'] }))],
  ['the mapping', { ...input, mapping: { groupX: 4 } }],
])('depends on %s', (_, other) => {
  expect(inputSha256(other)).not.toBe(sha256)
})

test('depends on the model version', () => {
  expect(inputSha256(input, '1999.1.0')).not.toBe(sha256)
})

test('the identity of an experiment depends on its runs, not on their order', () => {
  expect(runsSha256(['a', 'b'])).toBe(runsSha256(['b', 'a']))
  expect(runsSha256(['a', 'b'])).not.toBe(runsSha256(['a']))
})
