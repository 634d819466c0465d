import { describe, expect, test } from 'vitest'
import { collectiveInputSchema, type CollectiveConfig } from '#shared/schema/collective-input.ts'
import { issueLines } from '#shared/schema/issue-text.ts'
import { makeCollectiveInput } from '#test/support/make-collective-input.ts'

/** What is said about the hardware multicast of 32 KiB with these changes. */
function problems(changes: Partial<Record<keyof CollectiveConfig, unknown>>): string[] {
  const input = makeCollectiveInput(changes as Partial<CollectiveConfig>)
  const parsed = collectiveInputSchema.safeParse(input)
  if (parsed.success) return []
  return issueLines(parsed.error, input, { schema: collectiveInputSchema })
}

describe('a collective is accepted', () => {
  test.each([
    ['as it is', {}],
    ['odd bytes of a multicast', { bytes: 3 }],
    ['odd bytes of an fp8 sum', { bytes: 3, operation: 'sum', dtype: 'fp8' }],
    ['as many stages as elements', { bytes: 16, implementation: 'sw-pipelined', stages: 8 }],
    ['over the whole mesh', { columns: 32, rows: 32 }],
  ])('%s', (_, changes) => {
    expect(problems(changes)).toEqual([])
  })
})

describe('it is refused, with field, value and what is allowed', () => {
  test.each([
    ['nothing to move', { bytes: 0 }, 'collective.bytes: must be at least 1, got 0'],
    ['half an element', { bytes: 3, operation: 'sum' }, /^collective\.bytes: .*multiple of the 2 /],
    ['more columns than the mesh', { columns: 33 }, /columns: must be at most 32, .*got 33$/],
    ['more rows than the mesh', { rows: 64 }, /rows: must be at most 32, .*got 64$/],
    ['stages of hardware', { stages: 8 }, /stages: is for implementation sw-pipelined only, got 8/],
    ['no stages', { implementation: 'sw-pipelined' }, /^collective\.stages: is missing/],
    [
      'more stages than elements',
      { bytes: 16, implementation: 'sw-pipelined', stages: 9 },
      /stages: must be at most 8, the fp16 elements in 16 bytes, got 9/,
    ],
    ['an unknown operation', { operation: 'min' }, /operation: must be .*multicast.*got "min"/],
  ])('%s', (_, changes, message) => {
    const [line, ...others] = problems(changes)
    expect(others).toEqual([])
    expect(line).toMatch(message)
  })
})
