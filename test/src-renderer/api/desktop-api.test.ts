import { expect, test, vi } from 'vitest'
import { createDesktopApi, type DesktopBridge } from '#renderer/api/desktop-api.ts'
import type { Reply } from '#shared/ipc/contract.ts'

const bridgeThatReplies = (reply: Reply): DesktopBridge => ({
  invoke: () => Promise.resolve(reply),
  on: () => () => undefined,
})

test('a reply becomes its value', async () => {
  const api = createDesktopApi(bridgeThatReplies({ ok: true, value: [] }))
  await expect(api.invoke('experiment:list', { trashed: false })).resolves.toEqual([])
})

test('a failure becomes an ApiError', async () => {
  const api = createDesktopApi(
    bridgeThatReplies({ ok: false, code: 'storage', message: 'database is locked' }),
  )
  await expect(api.invoke('app:info', null)).rejects.toMatchObject({
    name: 'ApiError',
    code: 'storage',
    message: 'database is locked',
  })
})

test('listeners are handed to the preload', () => {
  const on = vi.fn(() => () => undefined)
  const bridge = { ...bridgeThatReplies({ ok: true, value: null }), on }
  const listener = vi.fn()
  createDesktopApi(bridge).on('history:changed', listener)
  expect(on).toHaveBeenCalledWith('history:changed', listener)
})
