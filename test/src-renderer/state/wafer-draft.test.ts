import { describe, expect, test } from 'vitest'
import {
  chipOf,
  decodeInputOf,
  firstWaferDraft,
  reviveWaferDraft,
  sweepInputOf,
  waferDraftOf,
  waferProblems,
} from '#renderer/state/wafer-draft.ts'

const first = firstWaferDraft()
const edited = (deployment: Record<string, unknown>) => ({
  ...first,
  deployment: { ...first.deployment, ...deployment },
})

test('the first draft has no problem, and can be asked for', () => {
  expect(waferProblems(first)).toEqual({ system: [], deployment: [], limit: [] })
  expect(decodeInputOf(first)?.deployment.expertParallel).toBe(32)
  expect(sweepInputOf(first)?.search.attentions).toEqual(['flat', 'flash'])
})

test('the sweep is the same whatever point of it is looked at', () => {
  const other = { batchPerChip: 64, expertParallel: 8, pipelineParallel: 8, attention: 'flash' }
  expect(sweepInputOf(edited(other))).toEqual(sweepInputOf(first))
  expect(sweepInputOf(edited({ kvLength: 2048 }))).not.toEqual(sweepInputOf(first))
})

test('copies of experts do not keep a sweep from being made', () => {
  expect(sweepInputOf(edited({ redundantExperts: 32 }))).toBeDefined()
})

test('a rule between parts is a problem of its field', () => {
  expect(waferProblems(edited({ pipelineParallel: 4 })).deployment[0]).toMatchObject({
    path: ['pipelineParallel'],
  })
  expect(decodeInputOf(edited({ pipelineParallel: 4 }))).toBeUndefined()
})

test('an edited system does not go by the name of its preset', () => {
  const system = { ...first.system, chips: { x: 16, y: 8 } }
  expect(decodeInputOf({ ...first, system })?.system.name).toMatch(/, edited$/)
})

test('an edited chip makes an edited chip and system, both back under their presets when opened', () => {
  const chip = { ...chipOf(first.system), clockGHz: 1.5 }
  const draft = { ...first, system: { ...first.system, chip } }
  const input = decodeInputOf(draft)
  expect(input?.system.name).toMatch(/, edited$/)
  expect(input?.system.chip.name).toMatch(/, edited$/)
  expect(sweepInputOf(draft)?.system.chip.clockGHz).toBe(1.5)
  if (input === undefined) throw new Error('the chip is refused')
  expect(waferDraftOf(input).system).toEqual(draft.system)
})

test('what is wrong with the chip is a problem of the system, and nothing is asked for', () => {
  const chip = { ...chipOf(first.system), clockGHz: -1 }
  const draft = { ...first, system: { ...first.system, chip } }
  expect(waferProblems(draft).system[0]?.path).toEqual(['chip', 'clockGHz'])
  expect(decodeInputOf(draft)).toBeUndefined()
})

describe('what an earlier visit left', () => {
  test('comes back', () => {
    const draft = edited({ batchPerChip: 96 })
    expect(reviveWaferDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft)
  })

  test.each([null, 7, {}, { deployment: { batchPerChip: 'x' }, systemPresetId: 'gone' }])(
    '%j breaks nothing',
    stored => {
      expect(reviveWaferDraft(stored)).toEqual(first)
    },
  )
})
