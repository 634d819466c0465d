import { describe, expect, test } from 'vitest'
import { readConfiguration } from '#renderer/features/lab/read-configuration.ts'
import { withValueAt } from '#shared/schema/form-fields.ts'
import { makeInput } from '#test/src-renderer/support/make-document.ts'

const { chip, workload } = makeInput()

test('a file that was exported is read as it was', () => {
  expect(readConfiguration('chip', JSON.stringify(chip))).toEqual({ kind: 'read', config: chip })
  expect(readConfiguration('workload', JSON.stringify(workload))).toEqual({
    kind: 'read',
    config: workload,
  })
})

describe('refused, with the field, is', () => {
  const problemsOf = (text: string) => {
    const outcome = readConfiguration('chip', text)
    return outcome.kind === 'refused' ? outcome.problems.join('\n') : ''
  }

  test('a mesh that is too large', () => {
    const text = JSON.stringify(withValueAt(chip, ['tiles', 'x'], 65_536))
    expect(problemsOf(text)).toMatch(/chip\.tiles\.x: .*256.*65536/)
  })

  test('an unknown key', () => {
    expect(problemsOf(JSON.stringify({ ...chip, cache: 1 }))).toContain('cache')
  })

  test('a file that breaks off', () => {
    expect(problemsOf(JSON.stringify(chip).slice(0, 100))).toContain('This is no JSON')
  })

  test('a file of something else, without a flood of lines', () => {
    const outcome = readConfiguration('chip', '{}')
    expect(outcome.kind === 'refused' && outcome.problems.length).toBeLessThanOrEqual(13)
  })
})
