import { expect, test } from 'vitest'
import { useEditHistory } from '#renderer/state/edit-history.ts'

function makeHistory() {
  let nowMs = 0
  const history = useEditHistory('a', { now: () => nowMs })
  return {
    ...history,
    wait: (durationMs: number) => {
      nowMs += durationMs
    },
  }
}

test('edits of one field in quick succession are undone together', () => {
  const { edit, undo, present, wait } = makeHistory()
  edit('b', 'field')
  wait(999)
  edit('c', 'field')
  undo()
  expect(present.value).toBe('a')
})

test('edits of one field with a pause between them are two steps', () => {
  const { edit, undo, present, wait } = makeHistory()
  edit('b', 'field')
  wait(1000)
  edit('c', 'field')
  undo()
  expect(present.value).toBe('b')
})

test('edits of two fields, and those without a field, are steps of their own', () => {
  const { edit, undo, present } = makeHistory()
  for (const [value, key] of [
    ['b', 'one'],
    ['c', 'two'],
    ['d', ''],
    ['e', ''],
  ] as const) {
    edit(value, key)
  }
  const seen = ['d', 'c', 'b', 'a'].map(() => {
    undo()
    return present.value
  })
  expect(seen).toEqual(['d', 'c', 'b', 'a'])
})

test('an edit right after an undo or a redo can be undone by itself', () => {
  const { edit, undo, redo, present } = makeHistory()
  edit('b', 'field')
  edit('c', 'other')
  undo()
  edit('d', 'other')
  undo()
  expect(present.value).toBe('b')
  redo()
  edit('e', 'other')
  undo()
  expect(present.value).toBe('d')
})

test('an edit ends what could be redone; there are at most 200 steps', () => {
  const { edit, undo, canRedo, canUndo } = makeHistory()
  for (let step = 0; step < 250; step += 1) edit(String(step))
  undo()
  expect(canRedo.value).toBe(true)
  edit('other')
  expect(canRedo.value).toBe(false)
  let steps = 0
  for (; canUndo.value; steps += 1) undo()
  expect(steps).toBe(200)
})
