import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useDraftJournal } from '#renderer/state/draft-journal.ts'
import { ApiError } from '#shared/ipc/api-error.ts'
import type { Input, Output } from '#shared/ipc/contract.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { withApp } from '#test/src-renderer/support/mount-app.ts'

interface Text {
  readonly text: string
}

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

async function open(kept: Output<'draft:load'> = null, { isLoaded = true } = {}) {
  let fault: ApiError | undefined
  let isLoadingBroken = false
  const received: Omit<Input<'draft:keep'>, 'page' | 'session'>[] = []
  const fake = createFakeApi({
    'draft:load': () => {
      if (isLoadingBroken) throw new ApiError('disconnected', 'no host')
      return kept
    },
    'draft:keep': ({ page, session, ...change }) => {
      expect([page, typeof session]).toEqual(['lab', 'string'])
      if (fault !== undefined) throw fault
      received.push(change)
      return null
    },
  })
  const { result } = withApp(
    () =>
      useDraftJournal<Text>({
        page: 'lab',
        initial: { text: 'a' },
        revive: state => state as Text,
      }),
    fake,
  )
  if (isLoaded) await result.load()
  const settle = async () => {
    await vi.advanceTimersByTimeAsync(300)
    await flushPromises()
  }
  const failWith = (error: ApiError | undefined) => {
    fault = error
  }
  const failLoading = (isBroken: boolean) => {
    isLoadingBroken = isBroken
  }
  return { ...result, received, settle, failWith, failLoading }
}

describe('a step', () => {
  test('is kept within a second, the first state with it', async () => {
    const { history, received, settle } = await open()
    history.edit({ text: 'b' })
    await settle()
    history.undo()
    await settle()
    expect(received).toEqual([
      { position: 0, state: { text: 'a' } },
      { position: 1, state: { text: 'b' } },
      { position: 0 },
    ])
  })

  test('that is typed letter by letter is one step', async () => {
    const { history, received, settle } = await open()
    for (const text of ['b', 'bo', 'bog']) history.edit({ text }, 'name')
    await settle()
    expect(new Set(received.map(({ position }) => position))).toEqual(new Set([0, 1]))
    expect(received.at(-1)).toEqual({ position: 1, state: { text: 'bog' } })
    expect(received.length).toBeLessThan(4)
  })

  test('that could not be kept is kept with the next one', async () => {
    const { history, received, settle, failWith } = await open()
    failWith(new ApiError('storage', 'the disk is full'))
    history.edit({ text: 'b' })
    await settle()
    failWith(undefined)
    history.edit({ text: 'c' })
    await settle()
    expect(received.map(({ state }) => state)).toEqual([
      { text: 'a' },
      { text: 'b' },
      { text: 'c' },
    ])
  })

  test('that the host refuses is in nobody’s way', async () => {
    const { history, received, settle, failWith } = await open()
    history.edit({ text: 'b' })
    await settle()
    failWith(new ApiError('bad-input', 'too long'))
    history.edit({ text: 'very long' })
    await settle()
    failWith(undefined)
    history.edit({ text: 'c' })
    await settle()
    expect(received.at(-1)).toEqual({ position: 3, state: { text: 'c' } })
  })
})

describe('what was edited while there was no host', () => {
  test('is a step after what the host has kept', async () => {
    const { history, settle, failWith } = await open()
    failWith(new ApiError('disconnected', 'no host'))
    history.edit({ text: 'b' })
    history.edit({ text: 'c' })
    await settle()
    const next = await open({ position: 0, first: 0, states: [{ text: 'a' }], saved: null })
    await next.settle()
    expect(next.history.present.value.text).toBe('c')
    next.history.undo()
    expect(next.history.present.value.text).toBe('a')
    expect(next.received[0]).toEqual({ position: 1, state: { text: 'c' } })
    expect((await open()).history.present.value.text).toBe('a')
  })

  test('and was cut off is left out', async () => {
    localStorage.setItem('tessera.unsent-draft.lab', '{"text": "b')
    expect((await open()).history.present.value.text).toBe('a')
  })
})

describe('what was kept', () => {
  const kept = {
    position: 6,
    first: 5,
    states: [{ text: 'x' }, { text: 'y' }, { text: 'z' }],
    saved: { text: 'x' },
  }

  test('is there again with undo, redo and what was saved', async () => {
    const { history, saved } = await open(kept)
    expect([history.present.value.text, saved.value.text]).toEqual(['y', 'x'])
    history.redo()
    expect([history.present.value.text, history.canRedo.value]).toEqual(['z', false])
    history.undo()
    history.undo()
    expect([history.present.value.text, history.canUndo.value]).toEqual(['x', false])
  })

  test('goes on at its position', async () => {
    const { history, received, settle, markSaved } = await open(kept)
    history.edit({ text: 'new' })
    markSaved()
    await settle()
    expect(received).toEqual([
      { position: 7, state: { text: 'new' } },
      { position: 7, saved: { text: 'new' } },
    ])
  })

  test('is not lost to what was edited before it arrived: that is a step after it', async () => {
    const early = await open(kept, { isLoaded: false })
    early.history.edit({ text: 'mine' })
    await early.settle()
    expect(early.history.present.value.text).toBe('mine')
    expect(early.received).toEqual([{ position: 7, state: { text: 'mine' } }])
    early.history.undo()
    expect(early.history.present.value.text).toBe('y')
  })

  test('is not lost where the host could not be asked at first', async () => {
    const late = await open(kept, { isLoaded: false })
    late.failLoading(true)
    await late.load()
    late.history.edit({ text: 'mine' })
    await late.settle()
    expect(late.received).toEqual([])
    late.failLoading(false)
    late.history.edit({ text: 'more' })
    await late.settle()
    expect(late.received).toEqual([{ position: 7, state: { text: 'more' } }])
  })
})

test('what was saved is kept although the next letter follows at once', async () => {
  const { history, markSaved, received, settle } = await open()
  history.edit({ text: 'b' }, 'name')
  markSaved()
  history.edit({ text: 'bo' }, 'name')
  await settle()
  expect(received.filter(({ saved }) => saved !== undefined)).toEqual([
    { position: 1, saved: { text: 'b' } },
  ])
  expect(received.at(-1)).toEqual({ position: 1, state: { text: 'bo' } })
})
