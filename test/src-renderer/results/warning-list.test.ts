import { expect, test } from 'vitest'
import { groupWarnings } from '#renderer/results/warning-list.ts'

test('a warning that several runs share is told once, with their names', () => {
  const padded = { code: 'padded-shape', message: 'padded to 4096' } as const
  const other = { code: 'padded-shape', message: 'padded to 8192' } as const
  expect(
    groupWarnings([
      { warning: padded, label: 'FlatHC' },
      { warning: other, label: 'FlatHC' },
      { warning: padded, label: 'FlatAsync' },
    ]),
  ).toEqual([
    { ...padded, labels: ['FlatHC', 'FlatAsync'] },
    { ...other, labels: ['FlatHC'] },
  ])
})
