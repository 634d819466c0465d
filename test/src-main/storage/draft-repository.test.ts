import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draftDepth } from '#shared/ipc/draft.ts'
import { countRows, openTestHistory } from '#test/support/main-history.ts'

const key = { page: 'lab', session: 'one' } as const

describe('a draft', () => {
  test('that was never edited is none', () => {
    expect(openTestHistory().history.drafts.load(key)).toBeUndefined()
  })

  test('has its states, the position and what was saved', () => {
    const { drafts } = openTestHistory().history
    drafts.keep({ ...key, position: 0, state: { a: 0 } })
    drafts.keep({ ...key, position: 1, state: { a: 1 }, saved: { a: 0 } })
    drafts.keep({ ...key, position: 0 })
    expect(drafts.load(key)).toEqual({
      position: 0,
      first: 0,
      states: [{ a: 0 }, { a: 1 }],
      saved: { a: 0 },
    })
  })

  test('is there after the database was opened again', () => {
    const { history, directory } = openTestHistory()
    history.drafts.keep({ ...key, position: 0, state: { a: 0 } })
    expect(openTestHistory(directory).history.drafts.load(key)?.states).toEqual([{ a: 0 }])
  })

  test('keeps so many steps', () => {
    const { drafts } = openTestHistory().history
    for (let position = 0; position < draftDepth + 10; position++) {
      drafts.keep({ ...key, position, state: position })
    }
    const kept = drafts.load(key)
    expect([kept?.first, kept?.states.length]).toEqual([9, draftDepth + 1])
  })

  test('is what a list with undo and redo would be', () => {
    const step = fc.oneof(fc.constant('edit'), fc.constant('undo'), fc.constant('redo'))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), steps => {
        const { drafts } = openTestHistory().history
        const states = [0]
        let position = 0
        drafts.keep({ ...key, position, state: 0 })
        steps.forEach((kind, index) => {
          if (kind === 'edit') {
            states.splice(++position, Infinity, index + 1)
            drafts.keep({ ...key, position, state: index + 1 })
          } else {
            const next = position + (kind === 'undo' ? -1 : 1)
            if (states[next] === undefined) return
            position = next
            drafts.keep({ ...key, position })
          }
        })
        expect(drafts.load(key)).toEqual({ position, first: 0, states, saved: null })
      }),
      { numRuns: 20 },
    )
  })
})

describe('another window', () => {
  test('takes over the newest draft with its steps, and then goes its own way', () => {
    const { history, wait } = openTestHistory()
    const { drafts } = history
    drafts.keep({ page: 'lab', session: 'old', position: 0, state: 'old' })
    wait(1)
    drafts.keep({ ...key, position: 0, state: 'a' })
    drafts.keep({ ...key, position: 1, state: 'b' })
    drafts.keep({ page: 'wafer', session: 'one', position: 0, state: 'wafer' })
    wait(1)
    const other = { page: 'lab', session: 'two' } as const
    expect(drafts.load(other)).toMatchObject({ position: 1, states: ['a', 'b'] })
    drafts.keep({ ...other, position: 2, state: 'c' })
    expect(drafts.load(key)?.states).toEqual(['a', 'b'])
    expect(drafts.load(other)?.states).toEqual(['a', 'b', 'c'])
  })

  test('that is long gone is forgotten', () => {
    const { history, db, wait } = openTestHistory()
    history.drafts.keep({ ...key, position: 0, state: 'a' })
    for (let session = 0; session < 30; session++) {
      wait(1)
      history.drafts.load({ page: 'lab', session: String(session) })
    }
    expect([countRows(db, 'draft'), countRows(db, 'draft_state')]).toEqual([8, 8])
  })
})
